import { z } from '@hono/zod-openapi'

/** Whether e-mail can be sent, in an API description. */
export const mailServiceStatusBody = z
  .object({
    isConfigured: z.boolean(),
    status: z.enum(['ok', 'not_configured', 'error']),
    message: z.string().openapi({ description: 'The same as a sentence.' }),
  })
  .openapi('MailServiceStatus')
