import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import { type Accounts, lockAccounts } from '#server/features/auth/account-service.ts'
import { requireSecondFactor } from '#server/features/auth/second-factor-service.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { AuditEntry } from '#server/lib/audit.ts'
import {
  changesBetween,
  changesOf,
  mustBeCurrent,
  mustExist,
  pick,
  type RecordChange,
} from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { codeMessages } from '#shared/auth/account.ts'
import { type NewPerson, type PersonEdit, personMessages } from '#shared/people/person.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { sectionLabel } from '#shared/terms/terms.ts'
import { createPeopleRepository, type StoredPerson } from './repository.ts'

export interface PeopleOptions
  extends Pick<AppContext, 'database' | 'clock' | 'timeZone' | 'publish' | 'audit'> {
  accounts: Accounts
  /** Reads the stored settings in the transaction, not the cached ones. */
  readSettings: (tx: Queryable) => Promise<Settings>
}

/** Ends the accounts of facilitators with the open term at the latest. @returns of how many the last day was later */
export async function endFacilitators(tx: Queryable, endsOn: string): Promise<number> {
  // Race: a person who is changed meanwhile may be given a last day by the end before.
  await lockAccounts(tx)
  return await createPeopleRepository(tx).endFacilitators(endsOn)
}

export function createPeopleService(options: PeopleOptions) {
  const { database, clock, timeZone, publish, accounts, readSettings } = options

  // Race: one at a time, so that of two administrators who end each other one stays.
  const change = changesOf(options, 'people', async (tx) => {
    await lockAccounts(tx)
    return createPeopleRepository(tx)
  })

  async function requireOf(tx: Queryable, id: string): Promise<void> {
    const { twoFactorRequired } = await readSettings(tx)
    await requireSecondFactor(tx, twoFactorRequired, clock(), id)
  }

  function mustNotBePast(expiresOn: string | null): void {
    const isPast = expiresOn !== null && expiresOn < calendarDateOf(clock(), timeZone)
    if (isPast) throw invalid('expiresOn', personMessages.datePast)
  }

  /** Takes the sections of the open term alone, and of a facilitator no last day after its end. */
  async function mustBeOfTerm(people: PeopleRepository, wanted: OfTerm): Promise<void> {
    if (wanted.role !== 'facilitator') return
    // Race: another may delete one of them.
    if ((await people.lockOpenSections(wanted.sectionIds)) < wanted.sectionIds.length)
      throw invalid('sectionIds', personMessages.sectionGone)
    const endsOn = await people.findOpenEnd()
    if (endsOn === null) throw invalid('expiresOn', personMessages.noTerm)
    if (wanted.expiresOn !== null && wanted.expiresOn > endsOn)
      throw invalid('expiresOn', personMessages.dateBeyond(endsOn))
  }

  /** @returns the values of the change, as they are in the trail */
  async function changeSections(
    people: PeopleRepository,
    id: string,
    edit: PersonEdit,
    { fields, ...values }: Changed,
  ): Promise<AuditEntry['values'] & object> {
    const areOther = fields.includes('sectionIds')
    const hasOtherRole = fields.includes('role')
    if (areOther || hasOtherRole || fields.includes('expiresOn')) await mustBeOfTerm(people, edit)
    // Sections of a closed term, which may be opened again, end with the role.
    if (areOther || hasOtherRole) await people.setSections(id, edit.sectionIds)
    return areOther ? await namedIn(people, values) : values
  }

  function mustBeAllowed(edit: PersonEdit, fields: readonly (keyof PersonEdit)[], isOwn: boolean): void {
    if (isOwn) mustNotBeOwn(fields)
    if (fields.includes('expiresOn')) mustNotBePast(edit.expiresOn)
  }

  async function applyTo(tx: Queryable, stored: StoredPerson, edit: PersonEdit): Promise<void> {
    if (edit.role !== stored.role) await requireOf(tx, stored.id)
    if (edit.isDisabled) await accounts.signOut(tx, stored.id)
  }

  async function endTokens(
    tx: Queryable,
    record: RecordChange,
    { person, actor }: { person: StoredPerson; actor: Actor },
  ): Promise<void> {
    for (const subject of await accounts.endTokens(tx, person)) {
      await record({ action: 'api-token-revoked', actor, subject })
    }
  }

  /** Refuses the caller's own account, which is changed in Profile Settings. */
  async function findOther(people: PeopleRepository, id: string, actor: Actor): Promise<StoredPerson> {
    if (id === actor.adminId) throw new AppError('conflict', personMessages.own)
    return mustExist(await people.find(id), personMessages.missing)
  }

  return {
    async list() {
      const people = createPeopleRepository(database.db)
      const [items, sections] = [await people.list(), await people.listOpenSections()]
      return {
        items,
        sections: sections.map(({ unit, name, ...section }) => ({
          ...section,
          label: sectionLabel({ unit, name }),
        })),
        termEndsOn: await people.findOpenEnd(),
      }
    },

    /** @returns the first password, which is shown only now */
    async add({ email, sectionIds, ...scope }: NewPerson, actor: Actor) {
      mustNotBePast(scope.expiresOn)
      const { password, passwordHash } = await accounts.makePassword()
      const id = createId()
      const person = await change(async (people, tx, record) => {
        await mustRemain(people, actor)
        if (await people.hasEmail(email)) throw invalid('email', personMessages.emailTaken)
        await mustBeOfTerm(people, { sectionIds, ...scope })
        await accounts.add(tx, { id, email, ...scope, passwordHash })
        await people.setSections(id, sectionIds)
        await requireOf(tx, id)
        const after = { sectionIds, seesPhoneNumbers: scope.seesPhoneNumbers }
        await record({
          ...{ action: 'person-added', actor, subject: email, detail: { role: scope.role } },
          ...(scope.role === 'facilitator' && { values: await namedIn(people, { before: {}, after }) }),
        })
        return mustExist(await people.find(id))
      })
      return { person, password }
    },

    async edit(id: string, edit: PersonEdit, version: number, actor: Actor): Promise<StoredPerson> {
      const edited = await change(async (people, tx, record) => {
        const stored = mustBeCurrent(await people.find(id), personMessages.missing, version)
        const { fields, ...values } = changesBetween(editOf(stored), edit)
        if (fields.length === 0) return stored
        mustBeAllowed(edit, fields, id === actor.adminId)
        await mustRemain(people, actor, isAdministrator(edit) ? undefined : id)
        const named = await changeSections(people, id, edit, { fields, ...values })
        await people.update(id, rowOf(edit, stored.disabledAt ?? clock()))
        const entry = { subject: stored.email, fields, detail: { role: edit.role }, values: named }
        await record({ action: actionOf(edit, fields), actor, ...entry })
        await applyTo(tx, stored, edit)
        if (!isAdministrator(edit)) await endTokens(tx, record, { person: stored, actor })
        return mustExist(await people.find(id))
      })
      publish('session')
      publish('mail-account')
      return edited
    },

    async renewPassword(id: string, version: number | undefined, actor: Actor): Promise<string> {
      const { password, passwordHash } = await accounts.makePassword()
      await change(async (people, tx, record) => {
        const person = mustBeCurrent(await findOther(people, id, actor), personMessages.missing, version)
        await mustRemain(people, actor, id)
        await accounts.renewPassword(tx, person, passwordHash)
        // Race: two administrators who answer one call would hand out two passwords, of which one works.
        await people.update(id, {})
        await record({ action: 'password-changed', actor, subject: person.email })
        // API tokens may have been made by someone who knew the old password.
        await endTokens(tx, record, { person, actor })
      })
      publish('session')
      publish('mail-account')
      return password
    },

    async signOut(id: string, actor: Actor): Promise<void> {
      await change(async (people, tx, record) => {
        const { email } = await findOther(people, id, actor)
        await mustRemain(people, actor)
        const affected = await accounts.signOut(tx, id)
        if (affected > 0) await record({ action: 'device-signed-out', actor, subject: email, affected })
      })
      publish('session')
    },

    async resetSecondFactor(id: string, actor: Actor): Promise<void> {
      await change(async (people, tx, record) => {
        const { email } = await findOther(people, id, actor)
        await mustRemain(people, actor)
        const wasOn = await accounts.removeSecondFactor(tx, id)
        if (!wasOn) throw new AppError('conflict', codeMessages.alreadyOff)
        await record({ action: 'second-factor-reset', actor, subject: email })
      })
      publish('session')
    },
  }
}

function editOf({ disabledAt, ...stored }: StoredPerson): PersonEdit {
  const edited = pick(stored, [
    'displayName',
    'role',
    'components',
    'expiresOn',
    'sectionIds',
    'seesPhoneNumbers',
  ])
  return { ...edited, isDisabled: disabledAt !== null }
}

function rowOf({ isDisabled, sectionIds: _ofAnotherTable, ...scope }: PersonEdit, disabledAt: Date) {
  return { ...scope, disabledAt: isDisabled ? disabledAt : null }
}

function actionOf({ isDisabled }: PersonEdit, fields: readonly (keyof PersonEdit)[]) {
  return isDisabled && fields.includes('isDisabled') ? 'person-ended' : 'person-changed'
}

/** The trail outlives sections, so it has their names. */
async function namedIn(people: PeopleRepository, values: Omit<Changed, 'fields'>) {
  const sections = await people.listOpenSections()
  const named = ({ sectionIds, ...others }: Values) => ({
    ...others,
    ...(sectionIds && {
      sectionIds: sections
        .filter(({ id }) => sectionIds.includes(id))
        .map(({ component, level, ...section }) => `${component} ${level}: ${sectionLabel(section)}`),
    }),
  })
  return { before: named(values.before), after: named(values.after) }
}

function isAdministrator({ role, isDisabled }: PersonEdit): boolean {
  return role === 'administrator' && !isDisabled
}

type Values = Partial<PersonEdit>

interface Changed {
  fields: readonly (keyof PersonEdit)[]
  before: Values
  after: Values
}

type OfTerm = Pick<PersonEdit, 'role' | 'sectionIds' | 'expiresOn'>

type PeopleRepository = ReturnType<typeof createPeopleRepository>

/** @param without who is no such administrator after the change */
async function mustRemain(people: PeopleRepository, { adminId }: Actor, without?: string): Promise<void> {
  const remaining = (await people.administrators()).filter((id) => id !== without)
  if (remaining.length === 0) throw new AppError('conflict', personMessages.lastAdministrator)
  // Race: the account that acts has ended since, or has another role.
  if (!remaining.some((id) => id === adminId)) throw new AppError('permission_denied')
}

const ownMessages = {
  role: personMessages.ownRole,
  components: personMessages.ownComponents,
  expiresOn: personMessages.ownLastDay,
  isDisabled: personMessages.ownEnd,
  sectionIds: personMessages.ownRole,
  seesPhoneNumbers: personMessages.ownRole,
} as const

function mustNotBeOwn(fields: readonly (keyof PersonEdit)[]): void {
  const errors = fields.flatMap((path) =>
    path === 'displayName' ? [] : [{ path, message: ownMessages[path] }],
  )
  if (errors.length > 0) throw new AppError('invalid', { errors })
}
