import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Accounts } from '#server/features/auth/account-service.ts'
import { requireSecondFactor } from '#server/features/auth/second-factor-service.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
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
import { createPeopleRepository, type StoredPerson } from './repository.ts'

export interface PeopleOptions
  extends Pick<AppContext, 'database' | 'clock' | 'timeZone' | 'publish' | 'audit'> {
  accounts: Accounts
  /** Reads the stored settings in the transaction, not the cached ones. */
  readSettings: (tx: Queryable) => Promise<Settings>
}

export function createPeopleService(options: PeopleOptions) {
  const { database, clock, timeZone, publish, accounts, readSettings } = options

  // Race: one at a time, so that of two administrators who end each other one stays.
  const change = changesOf(options, 'people', async (tx) => {
    await accounts.lock(tx)
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
    list: createPeopleRepository(database.db).list,

    /** @returns the first password, which is shown only now */
    async add({ email, ...scope }: NewPerson, actor: Actor) {
      mustNotBePast(scope.expiresOn)
      const { password, passwordHash } = await accounts.makePassword()
      const id = createId()
      const person = await change(async (people, tx, record) => {
        await mustRemain(people, actor)
        if (await people.hasEmail(email)) throw invalid('email', personMessages.emailTaken)
        await accounts.add(tx, { id, email, ...scope, passwordHash })
        await requireOf(tx, id)
        await record({ action: 'person-added', actor, subject: email, detail: { role: scope.role } })
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
        await people.update(id, rowOf(edit, stored.disabledAt ?? clock()))
        const entry = { subject: stored.email, fields, values, detail: { role: edit.role } }
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
  const edited = pick(stored, ['displayName', 'role', 'components', 'expiresOn'])
  return { ...edited, isDisabled: disabledAt !== null }
}

function rowOf({ isDisabled, ...scope }: PersonEdit, disabledAt: Date) {
  return { ...scope, disabledAt: isDisabled ? disabledAt : null }
}

function actionOf({ isDisabled }: PersonEdit, fields: readonly (keyof PersonEdit)[]) {
  return isDisabled && fields.includes('isDisabled') ? 'person-ended' : 'person-changed'
}

function isAdministrator({ role, isDisabled }: PersonEdit): boolean {
  return role === 'administrator' && !isDisabled
}

type PeopleRepository = ReturnType<typeof createPeopleRepository>

/** @param without who is no such administrator after the change */
async function mustRemain(people: PeopleRepository, { adminId }: Actor, without?: string): Promise<void> {
  const remaining = (await people.administrators()).filter((id) => id !== without)
  if (remaining.length === 0) throw new AppError('conflict', personMessages.lastAdministrator)
  // Race: the account that acts has ended since, or has another role.
  if (!remaining.some((id) => id === adminId)) throw new AppError('permission_denied')
}

const own = {
  role: personMessages.ownRole,
  components: personMessages.ownComponents,
  expiresOn: personMessages.ownLastDay,
  isDisabled: personMessages.ownEnd,
} as const

function mustNotBeOwn(fields: readonly (keyof PersonEdit)[]): void {
  const errors = fields.flatMap((path) => (path === 'displayName' ? [] : [{ path, message: own[path] }]))
  if (errors.length > 0) throw new AppError('invalid', { errors })
}
