import { PassThrough } from 'node:stream'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '#tests/setup/test-database.ts'
import { createLog, faultOf, toReadableLine } from './log.ts'

test('an error of the database is logged without the values that it repeats', async () => {
  const database = await createTestDatabase()
  const error = await database.pool
    .query("select 'Juan dela Cruz 1999'::date")
    .catch((fault: unknown) => fault)
  await database.close()
  expect(error).toBeInstanceOf(pg.DatabaseError)
  const lines = new PassThrough()
  createLog('info', lines).error({ err: error }, 'unexpected error')
  const line = String(lines.read())
  expect(line).not.toContain('Juan')
  expect(JSON.parse(line)).toMatchObject({
    msg: 'unexpected error',
    err: { code: '22007', message: 'database error' },
  })
})

test('the cause of an error is logged under the same rule', () => {
  const cause = Object.assign(new Error('Key (email)=(juan@student.example) already exists'), {
    severity: 'ERROR',
  })
  expect(JSON.stringify(faultOf(new Error('not stored', { cause })))).not.toContain('juan')
})

test('an ordinary error has its message and the frames of its stack', () => {
  const fault = faultOf(new TypeError('x is not a function'))
  expect(fault).toMatchObject({ type: 'TypeError', message: 'x is not a function' })
  expect(fault.stack).toMatch(/^\s+at /)
})

describe('a line for a terminal', () => {
  const lineOf = (level: number, facts: Record<string, unknown>) =>
    toReadableLine(JSON.stringify({ level, time: 0, msg: 'asked', ...facts }))

  test('contains no control character', () => {
    const line = lineOf(40, { msg: 'a\u001b[2Jb\n', path: '/\u0007\u009b1m', err: { message: 'c\rd' } })
    expect(line).toMatch(/ warn: a \[2Jb {2}\(path=\/ 1m, error=c d\)$/)
  })

  test('shows the members of an object', () => {
    expect(lineOf(40, { counts: { sent: 2 } })).toMatch(/ warn: asked \(counts=\{"sent":2\}\)$/)
  })

  test('is followed by the stack of an error, not of a warning', () => {
    const err = faultOf(new TypeError('x is not a function'))
    expect(lineOf(50, { err })).toMatch(/ error: asked \(error=x is not a function\)\n\s+at .*log\.test/)
    expect(lineOf(40, { err })).toMatch(/ warn: asked \(error=x is not a function\)$/)
  })
})
