// npm run dev: the product with live reload. Pages update in the browser; a change to server or shared code restarts
// the server on the same database.
import { join, sep } from 'node:path'
import { checkNode, installDependencies, root, stopWithNpm } from './set-up.mjs'

/** Editors write a file in several steps. */
const settleMs = 100
const restartOn = ['server', 'shared'].map((folder) => join(root, 'src', folder) + sep)

checkNode()
stopWithNpm()
process.chdir(root)
await installDependencies()
process.env.NODE_ENV = 'development'
const { createServer } = await import('vite')
const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' })

/**
 * Vite adds styles to the page and opens a socket, which the product's policy forbids. The browser tests cover the
 * policy, since they run the built product.
 * @param {import('node:http').ServerResponse} response
 */
function liftContentPolicy(response) {
  const writeHead = response.writeHead.bind(response)
  response.writeHead = (status, headers) => {
    const { 'content-security-policy': _policy, ...others } = headers ?? {}
    return writeHead(status, others)
  }
}

/** @type {{ url: string, stop: () => Promise<void> } | undefined} */
let running
/** @type {Promise<void>} */
let turn = Promise.resolve()

async function restart() {
  await running?.stop()
  running = undefined
  try {
    const { startForDevelopment } = await vite.ssrLoadModule('/src/server/development.ts')
    running = await startForDevelopment({
      loadPages: () => vite.ssrLoadModule('virtual:react-router/server-build'),
      middleware: (request, response, next) => {
        liftContentPolicy(response)
        vite.middlewares(request, response, next)
      },
    })
  } catch (error) {
    if (error instanceof Error) vite.ssrFixStacktrace(error)
    // A ConfigurationError has a message for the operator; other errors need the stack.
    console.error(error instanceof Error && error.name === 'ConfigurationError' ? error.message : error)
  }
}

/** @type {NodeJS.Timeout | undefined} */
let settling
vite.watcher.on('all', (_event, path) => {
  if (!restartOn.some((folder) => path.startsWith(folder)) || /\.test\.tsx?$/.test(path)) return
  clearTimeout(settling)
  settling = setTimeout(() => {
    console.log('Restarting…')
    turn = turn.then(restart)
  }, settleMs)
})

// React Router's plug-in runs a Vite of its own, which would end the process before the database has stopped.
process.removeAllListeners('SIGTERM')
process.stdin.removeAllListeners('end')
let isStopping = false
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, async () => {
    // Ctrl+C under npm arrives twice.
    if (isStopping) return
    isStopping = true
    await turn
    await running?.stop()
    await vite.close()
    process.exit(0)
  })
}
turn = restart()
