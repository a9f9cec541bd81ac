import { expect, test } from 'vitest'
import { sharedUserWarning } from './server-user.ts'

test('a database that runs as a user of other services says so', () => {
  expect(sharedUserWarning({ name: 'nobody', ids: { uid: 65_534, gid: 65_534 } })).toContain(
    'useradd --system nstp-portal',
  )
  expect(sharedUserWarning({ name: 'postgres', ids: { uid: 101, gid: 104 } })).toBeUndefined()
})
