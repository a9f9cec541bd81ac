import type { ServerBuild } from 'react-router'
import { readEnv } from './env.ts'
import { createLog } from './lib/log.ts'
import type { Middleware } from './listen.ts'
import { type RunningServer, startServer } from './start.ts'

interface DevelopmentOptions {
  loadPages: () => Promise<ServerBuild>
  middleware: Middleware
}

/** Starts the product for `npm run dev`, which loads this module again when the server's code changes. */
export function startForDevelopment({ loadPages, middleware }: DevelopmentOptions): Promise<RunningServer> {
  const env = readEnv(process.env)
  return startServer({
    env,
    log: createLog(env.LOG_LEVEL),
    pagesBuild: loadPages,
    mode: 'development',
    filesDir: null,
    middleware,
    print: (sentence) => process.stderr.write(`${sentence}\n`),
  })
}
