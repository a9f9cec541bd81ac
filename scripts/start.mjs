// npm start: installs and builds what is missing, then runs the product.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { runProgram } from './product-build.mjs'
import { fail, root, stopWithNpm } from './set-up.mjs'

/** As the script in package.json has it: no shell is needed, which Windows would not have. */
const usualHeapMb = '400'
const heapMb = process.env.HEAP_MB || usualHeapMb

if (!/^[1-9]\d{1,5}$/.test(heapMb))
  fail(`HEAP_MB is ${heapMb}. It must be a number of megabytes, such as 800.`)
stopWithNpm()
if (heapMb === usualHeapMb || process.execArgv.includes(heapOption())) await runProgram('index')
else runWithHeap()

function heapOption() {
  return `--max-old-space-size=${heapMb}`
}

/** Node takes the limit of its heap only at its start: this process waits for another, and passes signals on. */
function runWithHeap() {
  const start = join(root, 'scripts', 'start.mjs')
  const product = spawn(process.execPath, [heapOption(), start, ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) {
    process.on(signal, () => product.kill(signal))
  }
  product.once('exit', (code) => process.exit(code ?? 1))
}
