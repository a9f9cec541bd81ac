import { z } from '@hono/zod-openapi'
import { createRouter, json, publicRoutes } from '#server/http/router.ts'
import type { PostalCodesService } from './postal-codes.ts'

const tooShort = 'Please type at least 2 characters of the municipality or city.'

const postalCodeSchema = z
  .object({
    municipality: z.string().openapi({ example: 'Bacoor' }),
    province: z.string().openapi({ example: 'Cavite' }),
    zipCode: z.string().openapi({ example: '4102' }),
  })
  .openapi('Place')

const search = publicRoutes('registration').get(
  '/places',
  'Search municipalities and cities with their ZIP codes',
  {
    request: {
      query: z.object({
        search: z
          .string({ error: tooShort })
          .trim()
          .min(2, tooShort)
          .max(100, 'Please type no more than 100 characters of the municipality or city.'),
      }),
    },
    responses: {
      200: json(z.object({ items: z.array(postalCodeSchema) }), 'Up to ten; matches at the beginning first.'),
    },
  },
)

export function createPostalCodesRoutes({ service }: { service: PostalCodesService }) {
  return createRouter().openapi(search, async (c) => {
    const items = await service.search(c.req.valid('query').search)
    return c.json({ items }, 200, { 'Cache-Control': 'public, max-age=86400' })
  })
}
