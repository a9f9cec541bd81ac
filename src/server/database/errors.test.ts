import { describe, expect, test } from 'vitest'
import { DatabaseSilentError, toAppError } from './errors.ts'

const withFields = (message: string, fields: object) => Object.assign(new Error(message), fields)

describe('an error that means the database is unavailable', () => {
  test.each([
    ['refused connection', withFields('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' })],
    ['missing socket', withFields('connect ENOENT', { code: 'ENOENT', syscall: 'connect' })],
    [
      'suspended server whose queue is full',
      withFields('connect EAGAIN', { code: 'EAGAIN', syscall: 'connect' }),
    ],
    ['server shutting down', withFields('terminating connection', { code: '57P01' })],
    ['server starting', withFields('the database system is starting up', { code: '57P03' })],
    ['too many connections', withFields('sorry, too many clients already', { code: '53300' })],
    ['full disk', withFields('could not extend file', { code: '53100' })],
    ['statement limit', withFields('canceling statement due to statement timeout', { code: '57014' })],
    ['lost connection', new Error('Connection terminated unexpectedly')],
    ['no connection in time', new Error('timeout exceeded when trying to connect')],
    ['silence', new DatabaseSilentError('no answer')],
    ['a cause of that kind', new Error('wrapped', { cause: new DatabaseSilentError('no answer') })],
    ['every address refused', new AggregateError([withFields('', { code: 'ECONNREFUSED' })])],
  ])('%s', (_name, error) => {
    expect(toAppError(error)).toMatchObject({ code: 'unavailable', cause: error, retryAfter: 2 })
  })
})

describe('any other error is unchanged', () => {
  test.each([
    ['broken constraint', withFields('duplicate key', { code: '23505' })],
    ['missing file', withFields('ENOENT', { code: 'ENOENT', syscall: 'open' })],
    ['file without its bytes yet', withFields('EAGAIN', { code: 'EAGAIN', syscall: 'read' })],
    ['bug', new TypeError('x is not a function')],
    ['no error at all', 'text'],
  ])('%s', (_name, error) => {
    expect(toAppError(error)).toBeUndefined()
  })
})
