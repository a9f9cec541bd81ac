import type { OpenAPIHono } from '@hono/zod-openapi'
import { productVersion } from '#server/lib/version.ts'
import { requireStaff } from './auth.ts'
import type { AppEnv } from './context.ts'
import { createDocsPage } from './docs-page.ts'

export function describeApi(
  api: OpenAPIHono<AppEnv>,
  emailService: OpenAPIHono<AppEnv>,
  { isPublic }: { isPublic: boolean },
) {
  for (const definition of emailService.openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue
    const { route } = definition
    const path = `/emailService${route.path}`
    api.openAPIRegistry.registerPath({ ...route, path, servers: [{ url: '/' }] })
  }
  api.openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: 'nstp-session',
    description: 'Set by POST /session; named __Host-nstp-session over https.',
  })
  api.openAPIRegistry.registerComponent('securitySchemes', 'student', {
    type: 'apiKey',
    in: 'cookie',
    name: 'nstp-student',
    description: 'Of a student at /my; named __Host-nstp-student over https.',
  })
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token created in the system settings. It gives access to the e-mail calls only.',
  })
  if (!isPublic) for (const path of ['/openapi.json', '/docs']) api.use(path, requireStaff('signed-in'))
  const about = {
    openapi: '3.1.0',
    info: {
      title: 'NSTP Portal',
      version: productVersion,
      description:
        "Enlistment and records of a school's National Service Training Program. Errors are " +
        'application/problem+json; `detail` is a message for users.',
    },
    servers: [{ url: '/api' }],
  }
  api.doc31('/openapi.json', about)
  let page: ReturnType<typeof createDocsPage> | undefined
  api.get('/docs', (c) => {
    // The page is made at the first request, once all routes are there.
    page ??= createDocsPage(api.getOpenAPI31Document(about))
    return c.html(page(c.get('secureHeadersNonce') ?? ''))
  })
}
