import type { Queryable } from '#server/database/schema.ts'
import { officeItself } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { type ChangeContext, mustExist } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { type RollCalls, rollMessages } from '#shared/attendance/calls.ts'
import type { PhoneNumbers, Roll, RollSections } from '#shared/attendance/roll-response.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { sectionLabel } from '#shared/terms/terms.ts'
import { createRollRepository, type OwnSection } from './roll-repository.ts'
import { createAttendance } from './service.ts'

/** The rolls of the sections that an account has. An account without sections has none. */
export function createRoll(context: ChangeContext & Pick<AppContext, 'timeZone'>) {
  const { database, clock, audit, timeZone } = context
  const attendance = createAttendance(context)

  const rollOf = (db: Queryable, { adminId }: Staff) => createRollRepository(db, adminId ?? '')

  /** @throws AppError `not_found` */
  const findSection = async (db: Queryable, id: string, actor: Staff) =>
    mustExist((await rollOf(db, actor).listSections({ id }))[0], rollMessages.section)

  return {
    async list(actor: Staff): Promise<RollSections> {
      const roll = rollOf(database.db, actor)
      const sections = await roll.listSections()
      return { items: sections.map(presentSection), seesPhoneNumbers: await roll.seesPhoneNumbers() }
    },

    async read(id: string, actor: Staff): Promise<Roll> {
      const { db } = database
      const roll = rollOf(db, actor)
      const section = await findSection(db, id, actor)
      const days = await roll.listDays(section, calendarDateOf(clock(), timeZone))
      const students = await roll.listStudents(section, actor.access)
      const calls = await roll.listCalls(
        days.map((day) => day.id),
        students.map(({ recordId }) => recordId),
      )
      const entry = {
        ...({ action: 'students-listed', actor, subject: sectionLabel(section) } as const),
        affected: students.length,
        detail: {
          ...{ term: section.termId, component: section.component, level: section.level },
          // Readings within an hour that have one detail are one entry.
          ...{ section: sectionLabel(section), list: 'roll' },
        },
      }
      await audit.recordView(db, entry)
      return {
        section: presentSection(section),
        days,
        students: students.map(({ recordId, ...student }) => ({ id: recordId, ...student })),
        calls,
        leftOut: await roll.countBlocked(section),
      }
    },

    /** Takes calls of the section's students on its days, and leaves out the others. */
    async call(id: string, { account, calls }: RollCalls, actor: Staff) {
      if (account !== actor.adminId) throw new AppError('conflict', rollMessages.account)
      const section = await findSection(database.db, id, actor)
      const today = calendarDateOf(clock(), timeZone)
      return await attendance.call(
        section.termId,
        calls.map((call) => ({ ...call, ground: '' })),
        actor,
        {
          source: 'roll',
          access: officeItself,
          section: sectionLabel(section),
          // Race: the section may have been taken from the account meanwhile.
          async admit(tx, sent) {
            const roll = rollOf(tx, actor)
            const [held] = await roll.listSections({ id, isHeld: true })
            return await roll.findTaken(mustExist(held, rollMessages.section), sent, { today, timeZone })
          },
        },
      )
    },

    /** Each reading is an entry of the audit trail, also the second one within minutes. */
    async phoneNumbers(id: string, actor: Staff): Promise<PhoneNumbers> {
      const roll = rollOf(database.db, actor)
      if (!(await roll.seesPhoneNumbers()))
        throw new AppError('permission_denied', rollMessages.noPhoneNumbers)
      const { reference, ...numbers } = mustExist(await roll.findPhoneNumbers(id), rollMessages.gone)
      await audit.record(database.db, {
        ...{ action: 'phone-numbers-viewed', actor, studentId: id, subject: reference },
      })
      return numbers
    },
  }
}

function presentSection({ id, component, level, ...named }: OwnSection) {
  return { id, component, level, label: sectionLabel(named) }
}
