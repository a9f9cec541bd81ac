// Clones the repository into a temporary folder, runs `npm start`, and makes the walk of the README: a student enlists,
// the office signs in with the printed password, chooses its own and sees the record. Then the product stops cleanly and
// starts again without a build.
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
const buildingLine = 'Building NSTP Portal'
/** From the line "ready" to the record. */
const walkSeconds = 30

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
  since = Date.now()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      if (!output.includes(buildingLine) && `${output}${text}`.includes(buildingLine)) printTime('install')
      output += text
    })
  }
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    if (child.exitCode !== null) throw new Error(`the product ended with exit code ${child.exitCode}`)
    const answer = await fetch(`${base}/api/ready`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no answer within ${seconds} s`)
}

/** As a service manager stops it: npm alone gets the signal, and nothing of it is left. */
async function stop() {
  const group = running?.pid
  if (!running || group === undefined) return
  running.kill('SIGTERM')
  for (const end = Date.now() + stopSeconds * 1000; signalGroup(group, 0); ) {
    if (Date.now() > end) throw new Error(`still running ${stopSeconds} s after SIGTERM`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
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

/** Of the step under way, in ms. */
let since = Date.now()

/** @param {string} step */
function printTime(step) {
  console.log(`${step}: ${((Date.now() - since) / 1000).toFixed(1)} s`)
  since = Date.now()
}

/**
 * @param {string} path
 * @param {{ method?: string, cookie?: string, body?: object }} [request]
 */
async function call(path, { method = 'GET', cookie = '', body } = {}) {
  const answer = await fetch(base + path, {
    method,
    // As a browser's page sends it: changes from other sites are refused.
    headers: { cookie, Origin: base, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  check(answer.ok, `${method} ${path} answers ${answer.status}: ${answer.ok ? '' : await answer.text()}`)
  return answer
}

/** @param {Response} answer */
const cookieOf = (answer) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.slice(0, cookie.indexOf(';')))
    .join('; ')

/** As the README has it, by the calls that its pages make. */
async function walk() {
  const { courses, currentAcademicYear, closed } = await (await call('/api/registrations/offer')).json()
  check(closed === null, `enlistment is closed: ${closed}`)
  const student = {
    lastName: 'Dela Cruz',
    firstName: 'Juan',
    address: 'Brgy. San Isidro',
    dateOfBirth: '2005-05-14',
    placeOfBirth: 'Imus, Cavite',
    sex: 'Male',
    civilStatus: 'Single',
    citizenship: 'Filipino',
    contactNumber: '0917 123 4567',
    email: 'juan@student.example',
    course: courses[0],
    yearLevel: '1st Year',
    academicYear: currentAcademicYear,
    emergencyContactName: 'Maria Dela Cruz',
    emergencyContactNumber: '0918 765 4321',
    nstpComponent: 'CWTS',
    consent: true,
  }
  const { reference } = await (await call('/api/registrations', { method: 'POST', body: student })).json()
  const [, email, password] = /Sign in: as (\S+), password (\S+)/.exec(output) ?? []
  check(password !== undefined, 'it does not print the first password')
  const signedIn = await call('/api/session', { method: 'POST', body: { email, password } })
  const chosen = { currentPassword: password, newPassword: 'a pass phrase of the walk' }
  const own = await call('/api/session/password', { method: 'PUT', cookie: cookieOf(signedIn), body: chosen })
  const cookie = cookieOf(own) || cookieOf(signedIn)
  const { items } = await (await call('/api/students?search=Dela%20Cruz', { cookie })).json()
  const record = await (await call(`/api/students/${items[0]?.id}`, { cookie })).json()
  check(record.reference === reference, 'the office does not see the record of the student who enlisted')
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
  printTime('build and first start')
  check(output.includes(`${base}/register`), 'it does not print where students enlist')
  await walk()
  const walked = (Date.now() - since) / 1000
  printTime('from ready to the record seen')
  check(walked <= walkSeconds, `the walk takes ${walked.toFixed(1)} s, more than ${walkSeconds}`)
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
