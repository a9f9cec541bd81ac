import { expect, test } from 'vitest'
import { doesNotStart } from './postmaster.ts'

test.each([
  'FATAL:  data directory "/srv/nstp/postgres" has wrong ownership',
  'postgres: could not access directory "/srv/nstp/postgres": Permission denied',
])('a database of another user is not called damaged: %s', (line) => {
  expect(doesNotStart([line]).message).toMatch(
    /Its files belong to another user: start NSTP Portal as that user/,
  )
})

test('a database that does not start otherwise may be damaged', () => {
  expect(doesNotStart(['PANIC:  could not locate a valid checkpoint record']).message).toMatch(
    /restore a backup/,
  )
})
