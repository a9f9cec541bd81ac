// Clones the repository into a temporary folder, runs `npm start`, and checks that the product answers, prints its
// address and the first password, stops cleanly and starts again without a build.
// Usage: node scripts/check-fresh-clone.mjs [npm package with the Node to use]
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = dirname(dirname(fileURLToPath(import.meta.url)))
const port = process.env.PORT ?? '3999'
const base = `http://127.0.0.1:${port}`
/** Installing and building on two cores takes about two minutes. */
const firstStartSeconds = 600
const laterStartSeconds = 10
const stopSeconds = 20

const folder = mkdtempSync(join(tmpdir(), 'nstp clone '))
// As root, the database runs as another user, who must be able to enter the folder; else its data goes elsewhere.
chmodSync(folder, 0o711)
/** @type {import('node:child_process').ChildProcess | undefined} */
let running
let output = ''

/** A PATH with the `node` of an npm package. @param {string} name */
function pathWithNode(name) {
  const runtime = join(folder, 'runtime')
  execFileSync('npm', ['install', '--prefix', runtime, '--no-save', '--silent', name], { stdio: 'inherit' })
  const package_ = readdirSync(join(runtime, 'node_modules')).find((entry) => entry.startsWith('node-'))
  return join(runtime, 'node_modules', package_ ?? '', 'bin') + delimiter + process.env.PATH
}

/** @param {string} clone @param {NodeJS.ProcessEnv} env @param {number} seconds */
async function start(clone, env, seconds) {
  output = ''
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env,
    // A separate process group, so that a failure ends all child processes.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running = child
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    if (child.exitCode !== null) throw new Error(`the product ended with exit code ${child.exitCode}`)
    const answer = await fetch(`${base}/api/ready`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no answer within ${seconds} s`)
}

async function stop() {
  const child = running
  if (!child) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const late = new Promise((resolve) => setTimeout(resolve, stopSeconds * 1000, 'late').unref())
  if ((await Promise.race([ended, late])) === 'late')
    throw new Error(`still running ${stopSeconds} s after SIGTERM`)
  running = undefined
}

/** After a failure: cleanly, so that the database stops too, then by force after a time-out. */
async function end() {
  const group = running?.pid
  if (group === undefined) return
  signalGroup(group, 'SIGTERM')
  for (let waited = 0; waited < stopSeconds * 1000 && signalGroup(group, 0); waited += 100) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  signalGroup(group, 'SIGKILL')
}

/**
 * Signals a process group; 0 only checks.
 * @param {number} group
 * @param {NodeJS.Signals | 0} signal
 * @returns whether any process is left
 */
function signalGroup(group, signal) {
  try {
    return process.kill(-group, signal)
  } catch {
    // The whole group has ended.
    return false
  }
}

/** @param {boolean} condition @param {string} fault */
function check(condition, fault) {
  if (!condition) throw new Error(fault)
}

try {
  const clone = join(folder, 'nstp portal')
  execFileSync('git', ['clone', '--quiet', source, clone])
  const env = { ...process.env, PORT: port, ADMIN_PASSWORD: '' }
  const [nodePackage] = process.argv.slice(2)
  if (nodePackage) env.PATH = pathWithNode(nodePackage)
  console.log(`fresh clone, Node ${execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim()}`)

  await start(clone, env, firstStartSeconds)
  check(output.includes(base), 'it does not print its address')
  check(/password/i.test(output), 'it does not print the first password')
  const expected = {
    '/': 200,
    '/register': 200,
    '/login': 200,
    '/privacy': 200,
    '/api/docs': 401,
    '/api/openapi.json': 401,
  }
  for (const [path, status] of Object.entries(expected)) {
    const answer = await fetch(base + path)
    check(answer.status === status, `${path} answers ${answer.status}, not ${status}`)
  }
  await stop()
  await start(clone, env, laterStartSeconds)
  check(!/building/i.test(output), 'the second start builds again')
  await stop()
  console.log('1 passed, 0 failed')
} catch (error) {
  console.error(`fresh clone: ${error instanceof Error ? error.message : error}\n${output}`)
  console.log('0 passed, 1 failed')
  process.exitCode = 1
} finally {
  await end()
  rmSync(folder, { recursive: true, force: true })
}
