import { readdirSync } from 'node:fs'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import type { AppEnv } from './context.ts'

const hashedAssets = 'public, max-age=31536000, immutable'
const namedFiles = 'public, max-age=3600'

/**
 * The browser's files. Those under /assets have a content hash in the name and never change; the build wrote .br and
 * .gz versions, so nothing is compressed per request. The files of the top folder are routed by name: a page's address
 * costs no disk access.
 * @param root the folder of the browser build
 */
export function createStaticFiles(root: string) {
  const serveWith = (cacheControl: string) =>
    serveStatic<AppEnv>({
      root,
      precompressed: true,
      onFound: (_path, c) => {
        c.header('Cache-Control', cacheControl)
        // Nobody asks again for a file that never changes.
        if (cacheControl === hashedAssets) c.header('Last-Modified', undefined)
      },
    })
  const app = new Hono<AppEnv>().use('/assets/*', serveWith(hashedAssets))
  // A missing asset is a 404, not a page: browsers would cache the page's text as a script.
  app.all('/assets/*', (c) => c.notFound())
  const files = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { name } of files) {
    if (!/\.(br|gz)$/.test(name))
      app.get(`/${name}`, serveWith(/^(roll-)?sw\.js$/.test(name) ? 'no-cache' : namedFiles))
  }
  return app
}
