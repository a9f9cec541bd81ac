import { sql, type Updateable } from 'kysely'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable, Tables } from '#server/database/schema.ts'
import type { OpenSection, PersonEdit } from '#shared/people/person.ts'

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

export type OpenSectionRow = Omit<OpenSection, 'label'> & { unit: string; name: string }

/** An office has dozens of accounts at most: all are read. */
export function createPeopleRepository(db: Queryable) {
  const { all, exists } = queriesOf(db)
  // Indexes: audit_events_action, admin_sections_pkey, sections_pkey.
  async function read(id: string | null): Promise<StoredPerson[]> {
    return await all<StoredPerson>`
      select id, display_name, email, role, components, expires_on, disabled_at, last_sign_in_at,
        confirmed_at is not null as has_second_factor, second_factor_due,
        has_first_password as must_change_password, version, sees_phone_numbers,
        array(
          select section_id from admin_sections join sections on sections.id = section_id
            join terms on terms.id = term_id
          where admin_id = admins.id and terms.state = 'open' order by section_id) as section_ids
      from admins left join second_factors on second_factors.admin_id = admins.id
        left join (
          select admin_id, max(at) as last_sign_in_at from audit_events where action = 'signed-in' group by admin_id
        ) sign_ins on sign_ins.admin_id = admins.id
      where ${id}::uuid is null or id = ${id}::uuid
      order by lower(display_name), id`
  }

  return {
    list: (): Promise<StoredPerson[]> => read(null),

    find: async (id: string): Promise<StoredPerson | undefined> => (await read(id))[0],

    /** Lists the sections of the open term, in the order of class lists. Indexes: terms_open, sections_name. */
    listOpenSections: () => all<OpenSectionRow>`
        select sections.id, component, level, unit, name
        from sections join terms on terms.id = term_id where terms.state = 'open'
        order by component, level, position, sections.id`,

    /**
     * Counts the sections of the open term. Lock: they stay until the transaction ends, in the order of their ids. Indexes:
     * sections_pkey, terms_pkey.
     */
    async lockOpenSections(ids: readonly string[]): Promise<number> {
      const rows = await all`
        select from sections join terms on terms.id = term_id
        where sections.id = any(${[...ids]}::uuid[]) and terms.state = 'open'
        order by sections.id for key share of sections`
      return rows.length
    },

    /** Finds the last day of the open term. Index: terms_open. */
    async findOpenEnd(): Promise<string | null> {
      const rows = await all<{ endsOn: string | null }>`
        select max(ends_on) as ends_on from terms where state = 'open'`
      return rows[0]?.endsOn ?? null
    },

    /**
     * Stores which sections an account has. Sections of terms that aren't open are forgotten. Race: a section that stays
     * keeps its row, so that a roll call meanwhile finds it. Index: admin_sections_pkey.
     */
    async setSections(id: string, sectionIds: readonly string[]): Promise<void> {
      await sql`
        delete from admin_sections where admin_id = ${id} and section_id <> all(${[...sectionIds]}::uuid[])`.execute(
        db,
      )
      if (sectionIds.length === 0) return
      await db
        .insertInto('adminSections')
        .values(sectionIds.map((sectionId) => ({ adminId: id, sectionId })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    /** Ends the accounts of facilitators on a day, if they didn't end before. @returns how many */
    async endFacilitators(on: string): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('admins')
        .set((set) => ({ expiresOn: on, version: set('version', '+', 1) }))
        .where('role', '=', 'facilitator')
        .where('expiresOn', '>', on)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },

    // Index: admins_email.
    hasEmail: (email: string) => exists`select from admins where lower(email) = lower(${email})`,

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
