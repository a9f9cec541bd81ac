import { sql, type Updateable } from 'kysely'
import type { Queryable, Tables } from '#server/database/schema.ts'
import type { PersonEdit } from '#shared/people/person.ts'

export type StoredPerson = Omit<PersonEdit, 'isDisabled'> & {
  id: string
  email: string
  disabledAt: Date | null
  lastSignInAt: Date | null
  hasSecondFactor: boolean
  secondFactorDue: Date | null
  mustChangePassword: boolean
  version: number
}

/** An office has dozens of accounts at most: all are read. */
export function createPeopleRepository(db: Queryable) {
  // Index: audit_events_action.
  async function read(id: string | null): Promise<StoredPerson[]> {
    const { rows } = await sql<StoredPerson>`
      select id, display_name, email, role, components, expires_on, disabled_at, last_sign_in_at,
        confirmed_at is not null as has_second_factor, second_factor_due,
        has_first_password as must_change_password, version
      from admins left join second_factors on second_factors.admin_id = admins.id
        left join (
          select admin_id, max(at) as last_sign_in_at from audit_events where action = 'signed-in' group by admin_id
        ) sign_ins on sign_ins.admin_id = admins.id
      where ${id}::uuid is null or id = ${id}::uuid
      order by lower(display_name), id`.execute(db)
    return rows
  }

  return {
    list: (): Promise<StoredPerson[]> => read(null),

    find: async (id: string): Promise<StoredPerson | undefined> => (await read(id))[0],

    // Index: admins_email.
    async hasEmail(email: string): Promise<boolean> {
      const { rows } = await sql`select from admins where lower(email) = lower(${email})`.execute(db)
      return rows.length > 0
    },

    /** The administrators who can sign in, with a password of their own. */
    async administrators(): Promise<string[]> {
      const rows = await db
        .selectFrom('admins')
        .select('id')
        .where('role', '=', 'administrator')
        .where('disabledAt', 'is', null)
        .where('hasFirstPassword', '=', false)
        .execute()
      return rows.map(({ id }) => id)
    },

    async update(id: string, values: Updateable<Tables['admins']>): Promise<void> {
      await db
        .updateTable('admins')
        .set((set) => ({ ...values, version: set('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
    },
  }
}
