import { v7 as createId } from 'uuid'
import { createAccountRepository } from '#server/features/auth/account-repository.ts'
import { type AccountScope, roles } from '#shared/people/permissions.ts'
import { endingRoles } from '#shared/people/person.ts'
import { createAdminClient } from './admin-client.ts'
import { adminPassword, endFirstPassword } from './administrator.ts'
import { signInOverHttp } from './sign-in.ts'
import type { TestServer } from './test-server.ts'

/** The roles that see records: tests/security/facilitator.test.ts has the other one. */
export const officeRoles = roles.filter((role) => role !== 'facilitator')

/** A new account with the administrator's password. */
export async function signInAs({ url, database: { db } }: TestServer, { role, components }: AccountScope) {
  const { passwordHash } = await db
    .selectFrom('admins')
    .select('passwordHash')
    // The first administrator's: a walk changes those of others.
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const id = createId()
  const email = `${id}@school.example`
  const named = { id, email, displayName: [role, ...components].join(' ') }
  const expiresOn = endingRoles.includes(role) ? '2199-12-31' : null
  const account = { ...named, role, components, expiresOn, passwordHash }
  await createAccountRepository(db).insertAdmin({ ...account, now: new Date() })
  await endFirstPassword(db)
  const cookie = await signInOverHttp(url, adminPassword, email)
  return { id, email, cookie }
}

/** Calls of a new account. */
export async function createStaffClient(server: TestServer, scope: AccountScope) {
  const account = await signInAs(server, scope)
  return { ...createAdminClient(server, account.cookie), ...account }
}
