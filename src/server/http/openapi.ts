import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { productVersion } from '#server/lib/version.ts'
import { requireStaff } from './auth.ts'
import type { AppEnv } from './context.ts'

// Swagger UI comes from its npm package, not from an external server: the page works in a closed network.
const swaggerFiles = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const page = (nonce: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API of NSTP Portal</title>
    <link rel="stylesheet" href="/api/docs/files/swagger-ui.css">
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
  </head>
  <body>
    <main id="docs"></main>
    <script nonce="${nonce}" src="/api/docs/files/swagger-ui-bundle.js"></script>
    <script nonce="${nonce}">
      SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', deepLinking: true })
    </script>
  </body>
</html>`

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
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token created in the system settings. It gives access to the e-mail calls only.',
  })
  if (!isPublic)
    for (const path of ['/openapi.json', '/docs', '/docs/*']) api.use(path, requireStaff('signed-in'))
  api.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: {
      title: 'NSTP Portal',
      version: productVersion,
      description:
        "Enlistment and records of a school's National Service Training Program. Errors are " +
        'application/problem+json; `detail` is a message for users.',
    },
    servers: [{ url: '/api' }],
  })
  api.get('/docs', (c) => c.html(page(c.get('secureHeadersNonce') ?? '')))
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    api.get(
      `/docs/files/${file}`,
      serveStatic({
        path: join(swaggerFiles, file),
        onFound: (_path, c) => c.header('Cache-Control', 'public, max-age=86400'),
      }),
    )
  }
}
