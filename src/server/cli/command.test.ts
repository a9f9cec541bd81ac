import { createServer } from 'node:net'
import pino from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { type AppDatabase, createDatabase } from '#server/database/pool.ts'
import { ConfigurationError } from '#server/env.ts'
import { explainStartFailure, fileSentenceOf, readArguments, sentenceOf } from './command.ts'

const errorWith = (code: string, message = code) => Object.assign(new Error(message), { code })

describe('a failed start reports', () => {
  let database: AppDatabase | undefined
  afterEach(() => database?.close())

  test.each([
    ['Node finds the disk full', errorWith('ENOSPC')],
    ['PostgreSQL finds it full', errorWith('53100')],
    ['initdb finds it full', new ConfigurationError('initdb: No space left on device')],
    ['that is the cause of another failure', new Error('migration failed', { cause: errorWith('53100') })],
  ])('that the disk is full when %s', (_name, error) => {
    expect(explainStartFailure(error, '/srv/nstp')).toBe(
      'The disk with /srv/nstp is full. Free some space, then start NSTP Portal again.',
    )
  })

  test('whose disk is full when the database is another server', () => {
    const url = 'postgres://db.school.example/nstp'
    const full = errorWith('53100', 'could not extend file: No space left on device')
    expect(explainStartFailure(new Error('migration failed', { cause: full }), '/srv/nstp', url)).toBe(
      "The database's disk is full. Free some space there, then start NSTP Portal again.",
    )
    expect(explainStartFailure(errorWith('ENOSPC'), '/srv/nstp', url)).toContain('/srv/nstp')
  })

  test('that the folder may not be written to', () => {
    expect(explainStartFailure(errorWith('EACCES'), '/srv/nstp')).toContain(
      "can't write to its data folder /srv/nstp",
    )
  })

  test('which file it is about', () => {
    const fault = Object.assign(errorWith('EISDIR'), { syscall: 'read', path: '/srv/nstp/runtime' })
    expect(explainStartFailure(fault, '/srv/nstp')).toBe('/srv/nstp/runtime: It is a folder.')
  })

  test('that the role may not change the tables', () => {
    expect(explainStartFailure(errorWith('42501', 'permission denied for schema public'), '')).toBe(
      'The database refuses a change of its tables: permission denied for schema public. Let DATABASE_OWNER_URL name their owner, or give the role that right.',
    )
  })

  test('the message of a wrong configuration, and no stack', () => {
    expect(explainStartFailure(new ConfigurationError('PORT must be a whole number.'), '')).toBe(
      'PORT must be a whole number.',
    )
    expect(explainStartFailure(new TypeError('x is not a function'), '')).toBeUndefined()
  })

  test('that a connection pooler refuses the connection settings', async () => {
    const pooler = createServer((socket) => {
      socket.once('data', () => socket.end(refusal('unsupported startup parameter: statement_timeout')))
    })
    await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve))
    const address = pooler.address()
    const port = typeof address === 'object' && address ? address.port : 0
    database = createDatabase({
      connection: { host: '127.0.0.1', port, user: 'nstp' },
      log: pino({ level: 'silent' }),
    })
    const error = await database.check().catch((cause: unknown) => cause)
    pooler.close()
    expect(explainStartFailure(error, '')).toContain('PgBouncer: ignore_startup_parameters')
  })
})

test('a fault is of the file that a command names, or of another one, which is named', () => {
  const denied = errorWith('EACCES')
  expect(fileSentenceOf(denied, 'all.nstp')).toBe('all.nstp: Permission denied.')
  const draft = Object.assign(errorWith('EACCES'), { path: 'all.nstp.1f2e.part' })
  expect(fileSentenceOf(draft, 'all.nstp')).toBe('all.nstp: Permission denied.')
  const elsewhere = Object.assign(errorWith('EACCES'), { path: '/srv/nstp/owner-draft-1.json' })
  expect(fileSentenceOf(elsewhere, 'all.nstp')).toBe('/srv/nstp/owner-draft-1.json: Permission denied.')
  expect(sentenceOf(elsewhere, '')).toBe('/srv/nstp/owner-draft-1.json: Permission denied.')
  const socket = Object.assign(errorWith('ENOENT'), { syscall: 'connect' })
  expect(fileSentenceOf(socket, 'all.nstp')).toBeUndefined()
})

// PostgreSQL's ErrorResponse: type, length, then fields that end with a zero byte.
function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`)
  const head = Buffer.alloc(5, 'E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

test('--demo adds demo content, which is absent without it', () => {
  expect(readArguments(['--demo'])).toEqual({ demo: true })
  expect(readArguments([])).toEqual({ demo: false })
})

test('an unknown argument stops the start with a message that lists the arguments', () => {
  expect(() => readArguments(['--dmeo'])).toThrow(ConfigurationError)
  expect(() => readArguments(['demo'])).toThrow(/The only option is --demo/)
})
