// @module-tag rest
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isRunning } from '#server/database/embedded/stale-server.ts'
import { buildImage } from '#tests/factories/images.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { createBareDatabase } from '#tests/setup/test-database.ts'
import { enlist, until } from './load.ts'
import { databasePid } from './product-database.ts'

const isRoot = process.getuid?.() === 0
// Every Debian has this user. The product never chooses it unless the data folder belongs to it.
const someUser = { uid: 13, gid: 13, name: 'proxy' }

const nobody = { uid: 65_534, gid: 65_534 }

let folder: TemporaryFolder
let product: Product | undefined

beforeEach(() => {
  folder = makeTemporaryFolder()
  product = undefined
})
afterEach(async () => {
  await product?.stop()
  folder.remove()
})

async function start(env: Record<string, string> = {}, entry?: string) {
  product = await startProduct({ LOG_LEVEL: 'warn', DATA_DIR: join(folder.path, 'data'), ...env }, [], {
    ...(entry ? { entry } : {}),
  })
  return product
}

describe('the data folder', () => {
  test.each([
    ['spaces, quotes, a comma and ñ', `a folder, "mine" and Señor O'Neil's/data`],
    ['more than a socket’s path may have', `${'deep '.repeat(20)}/${'folder'.repeat(20)}/data`],
  ])('may have a name with %s', async (_what, name) => {
    const { url } = await start({ DATA_DIR: join(folder.path, name) })
    expect(await enlist(url)).toMatchObject({ status: 201 })
    await product?.stop()
    const again = await start({ DATA_DIR: join(folder.path, name) })
    expect(await enlist(again.url)).toMatchObject({ status: 201 })
  })

  test('has the database’s socket, which its user alone may open; the database has no port', async () => {
    const { dataDir } = await start()
    const { uid } = statSync(join(dataDir, 'postgres'))
    const socket = join(dataDir, 'socket')
    for (const path of [socket, join(socket, '.s.PGSQL.5432')]) {
      const { mode, uid: owner } = statSync(path)
      expect([path, mode & 0o777, owner]).toEqual([path, 0o700, uid])
    }
    // PostgreSQL's own record of a server: the fifth line is the socket's folder, the sixth an address it listens on.
    const record = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
    expect(record.slice(4, 6)).toEqual([socket, ''])
  })

  test.runIf(isRoot)(
    'that the database’s user can not enter is replaced by one that the start names',
    async () => {
      const closed = join(folder.path, 'closed')
      mkdirSync(closed, { mode: 0o700 })
      const wanted = join(closed, 'data')
      const { url, output } = await start({ DATA_DIR: wanted })
      expect(await enlist(url)).toMatchObject({ status: 201 })
      const elsewhere =
        /The database's user can't open (.*), so the data is in (\/var\/lib\/nstp-portal-[0-9a-f]{8})\./
      const [, from, to = ''] = elsewhere.exec(output()) ?? []
      expect(from).toBe(wanted)
      expect(existsSync(wanted)).toBe(false)
      expect(readdirSync(to)).toContain('postgres')
      await product?.stop()
      rmSync(to, { recursive: true })
    },
  )

  test('is left unlocked and without a database when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const dataDir = join(folder.path, 'data')
    await expect(startProduct({ DATA_DIR: dataDir, PORT: String(port) })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or use another port: PORT=${port + 1} npm start.`,
    )
    other.close()
    expect(() => databasePid(dataDir)).toThrow('no database runs')
    const { dataDir: used } = await start()
    expect(isRunning(databasePid(used))).toBe(true)
  })

  test.each([
    ['PORT', 'eighty', 'PORT must be a whole number.'],
    ['DATA_DIR', '/dev/null/data', "The data folder /dev/null/data can't be created: /dev/null is a file."],
    // Linux lets nobody create a folder there.
    [
      'DATA_DIR',
      '/proc/data',
      "The data folder /proc/data can't be used. There is no such file or folder. Set DATA_DIR",
    ],
  ])(
    'and other settings that can not work are answered with a sentence, not a stack: %s',
    async (name, value, sentence) => {
      const attempt = startProduct({ DATA_DIR: join(folder.path, 'data'), [name]: value })
      await expect(attempt).rejects.toThrow(sentence)
      await expect(attempt).rejects.not.toThrow(/^\s+at /m)
    },
  )

  describe('that can not be used is told in a sentence, not as damage where it is none, and without a stack:', () => {
    const inFolder = (name: string) => join(folder.path, 'data', name)

    async function refusalAfter(change: () => void, launcher: readonly string[] = []) {
      await start()
      await product?.stop()
      change()
      const attempt = startProduct({ LOG_LEVEL: 'warn', DATA_DIR: join(folder.path, 'data') }, [], {
        launcher,
      })
      return String(await attempt.catch((error: unknown) => error))
    }

    test.each([
      ['a folder in the place of secret.key', replaceByFolder, "secret.key can't be read. It is a folder."],
      ['a database without its files', emptyDatabase, 'PG_VERSION: There is no such file or folder.'],
      [
        'a file in the place of the database',
        replaceDatabase,
        'PG_VERSION: There is no such file or folder.',
      ],
    ])('%s', async (_, change, sentence) => {
      const refusal = await refusalAfter(change)
      expect(refusal).toContain(sentence)
      expect(refusal).not.toMatch(/^\s+at /m)
    })

    function replaceByFolder() {
      rmSync(inFolder('secret.key'))
      mkdirSync(inFolder('secret.key'))
    }
    function emptyDatabase() {
      for (const name of readdirSync(inFolder('postgres')))
        rmSync(join(inFolder('postgres'), name), { recursive: true })
    }
    function replaceDatabase() {
      rmSync(inFolder('postgres'), { recursive: true })
      writeFileSync(inFolder('postgres'), '')
    }

    const own =
      /All its files must belong to the user '\w+', as whom it runs, .* As root: chown -R \d+ .*postgres; chmod 700/
    const others = /belongs to another user \(number \d+\)\. Start NSTP Portal as that user or as root/
    const asSomeUser = ['setpriv', `--reuid=${someUser.uid}`, `--regid=${someUser.gid}`, '--clear-groups']

    test.runIf(isRoot).each([
      ['a database that root copied', () => giveToRoot('postgres'), [], own],
      ['a file of it that root copied', () => giveToRoot('postgres/global/pg_control'), [], own],
      ['a database that everybody may enter', () => chmodSync(inFolder('postgres'), 0o755), [], own],
      ['a data folder of another user', () => undefined, asSomeUser, others],
      ['one that is closed', () => chmodSync(join(folder.path, 'data'), 0o700), asSomeUser, others],
    ])('%s', async (_, change, launcher, sentence) => {
      chmodSync(folder.path, 0o755)
      const refusal = await refusalAfter(change, launcher)
      expect(refusal).toMatch(sentence)
      expect(refusal).not.toContain('damaged')
      expect(refusal).not.toMatch(/^\s+at /m)
    })

    function giveToRoot(name: string) {
      const path = inFolder(name)
      chownSync(path, 0, 0)
      if (statSync(path).isDirectory()) for (const inside of readdirSync(path)) giveToRoot(join(name, inside))
    }
  })

  test('is not needed with DATABASE_URL, whose faults are told in a sentence', async () => {
    const { url, drop } = await createBareDatabase()
    await drop()
    const dataDir = join(folder.path, 'data')
    await expect(startProduct({ DATABASE_URL: url, DATA_DIR: dataDir })).rejects.toThrow(
      /The database that DATABASE_URL names can't be used: database "test_\w+" does not exist\./,
    )
    expect(existsSync(dataDir)).toBe(false)
  })
})

describe.runIf(isRoot && process.platform === 'linux')(
  'a product that root starts',
  { timeout: 180_000 },
  () => {
    /** The real, effective, saved and file-system user and group, and the further groups. */
    function idsOf({ process: { pid } }: Product) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const line = (name: string) =>
        new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1]?.trim().split(/\s+/)
      return {
        users: new Set(line('Uid')),
        groups: new Set([...(line('Gid') ?? []), ...(line('Groups') ?? [])]),
      }
    }

    test('runs as the database’s user once its port is open, and does all its work as that user', async () => {
      const { url, dataDir } = await start()
      const { uid, gid } = statSync(join(dataDir, 'postgres'))
      expect(uid).not.toBe(0)
      expect(product && idsOf(product)).toEqual({
        users: new Set([String(uid)]),
        groups: new Set([String(gid)]),
      })

      // Parts of the code are loaded when they are needed.
      const cookie = await signInOverHttp(url)
      expect((await enlist(url)).status).toBe(201)
      const sheet = await fetch(`${url}/api/students/export.xlsx`, { headers: { cookie } })
      expect([sheet.status, (await sheet.arrayBuffer()).byteLength > 1_000]).toEqual([200, true])
      const slide = new FormData()
      slide.set('title', 'Oath taking')
      slide.set('image', new File([new Uint8Array(await buildImage('png'))], 'oath.png'))
      const upload = await fetch(`${url}/api/slides`, { method: 'POST', headers: { cookie }, body: slide })
      expect(upload.status).toBe(201)
      const page = await (await fetch(url)).text()
      const [asset = ''] = /\/assets\/[\w.-]+\.js/.exec(page) ?? []
      expect((await fetch(`${url}${asset}`)).status).toBe(200)

      const killed = databasePid(dataDir)
      process.kill(killed, 'SIGKILL')
      await until('it has started its database again', async () => {
        const { ok } = await fetch(`${url}/api/ready`)
        return ok && databasePid(dataDir) !== killed
      })
      expect((await enlist(url)).status).toBe(201)

      expect(await product?.stop()).toBe(0)
      const again = await start()
      // The secret key is the same: the session goes on.
      const students = await fetch(`${again.url}/api/students`, { headers: { cookie } })
      const { total }: { total: number } = await students.json()
      expect([students.status, total]).toEqual([200, 2])
    })

    test('runs as the owner of its data folder', async () => {
      const dataDir = join(folder.path, 'data')
      mkdirSync(dataDir, { mode: 0o700 })
      chownSync(dataDir, someUser.uid, someUser.gid)
      const started = await start()
      expect(idsOf(started).users).toEqual(new Set([String(someUser.uid)]))
      expect((await enlist(started.url)).status).toBe(201)
      // Who may also start it without root.
      expect(statSync(join(dataDir, 'secret.key')).uid).toBe(someUser.uid)
    })

    test('warns where that user is nobody, as other services may be, and of no other', async () => {
      const warning = "Warning: the database runs as the user 'nobody'"
      const dataDir = join(folder.path, 'data')
      chmodSync(folder.path, 0o755)
      mkdirSync(dataDir)
      chownSync(dataDir, someUser.uid, someUser.gid)
      expect((await start()).output()).not.toContain(warning)
      await product?.stop()
      rmSync(dataDir, { recursive: true })
      mkdirSync(dataDir)
      chownSync(dataDir, nobody.uid, nobody.gid)
      expect((await start()).output()).toContain(warning)
    })

    test('stays root, and says so, where that user can’t read the product', async () => {
      const closed = join(folder.path, 'closed')
      mkdirSync(closed, { mode: 0o700 })
      cpSync('build', join(closed, 'build'), { recursive: true })
      symlinkSync(resolve('node_modules'), join(closed, 'node_modules'))
      symlinkSync(resolve('package.json'), join(closed, 'package.json'))
      const started = await start({}, join(closed, 'build/server/index.js'))
      expect(idsOf(started).users).toEqual(new Set(['0']))
      expect(started.output()).toMatch(
        /NSTP Portal keeps running as root: the user '\w+' can't read .*closed\/build.* Move the product/,
      )
      expect((await enlist(started.url)).status).toBe(201)
    })
  },
)
