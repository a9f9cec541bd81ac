import { createOwnAttendance } from '#server/features/attendance/own-attendance-service.ts'
import { agencyOf } from '#server/features/papers/layout-service.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { mustExist } from '#server/lib/change.ts'
import { readingActions } from '#shared/audit/reading-actions.ts'
import type { MyPage, MyRecord, NextStep } from '#shared/my/own-page-response.ts'
import { calendarDateOf, needsGuardian } from '#shared/program-calendar.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { yearLevelLabel } from '#shared/students/student-choices.ts'
import {
  type FieldSection,
  fieldDefinition,
  type StudentField,
  sectionTitles,
  studentFieldNames,
} from '#shared/students/student-fields.ts'
import { nextLevelOf } from '#shared/terms/credits.ts'
import { levelName } from '#shared/terms/level-names.ts'
import type { MarksShownWhen } from '#shared/terms/marking.ts'
import { type Level, sectionLabel, termLabel } from '#shared/terms/terms.ts'
import {
  createOwnPageReader,
  type OwnCredit,
  type OwnEnrolment,
  type OwnPageRow,
} from './own-page-repository.ts'

// Lines of the page, by day and role.
const mostReadings = 200

type OwnSettings = Pick<Settings, 'levelNames' | 'studentsSeeMarks'>

/** What a student reads at /my of the own record, and of nobody else's. */
export function createOwnPage(
  { database, clock, timeZone }: Pick<AppContext, 'database' | 'clock' | 'timeZone'>,
  { settings }: { settings: () => OwnSettings },
) {
  const read = createOwnPageReader(database)
  const readAttendance = createOwnAttendance({ clock, timeZone })
  const isMinor = (dateOfBirth: string) => needsGuardian(calendarDateOf(clock(), timeZone), dateOfBirth)

  return {
    async page(studentId: string): Promise<MyPage> {
      const row = mustExist(await read.page(studentId))
      const { levelNames, studentsSeeMarks } = settings()
      const nameOf = (component: string | null, level: Level) => levelName(levelNames, component, level)
      const { reference, firstName, academicYear, archived, restriction, dateOfBirth } = row
      const result = resultOf(row, studentsSeeMarks, nameOf)
      const where = whereOf(row, nameOf)
      const isEnrolled = where?.state === 'enrolled' || where?.state === 'placed'
      return {
        student: {
          ...{ reference, firstName, academicYear, archived, restriction },
          isMinor: isMinor(dateOfBirth),
          // The answer follows from what the student sees, so that it tells no hidden mark.
          mayChangeComponent: row.serialNumber === '' && !isEnd(result?.next),
        },
        where,
        attendance: isEnrolled ? await readAttendance(database.db, studentId) : null,
        result,
        serial: serialOf(row),
      }
    },

    async record(studentId: string): Promise<MyRecord> {
      const actions = Object.keys(readingActions)
      const [found, rows] = await Promise.all([
        read.record(studentId),
        read.readings(studentId, { actions, timeZone, most: mostReadings }),
      ])
      const row = mustExist(found)
      const textOf = (field: StudentField) =>
        field === 'yearLevel' ? yearLevelLabel(row.yearLevel) : row[field]
      const sections = Object.keys(sectionTitles) as FieldSection[] // keys of a literal object
      return {
        isMinor: isMinor(row.dateOfBirth),
        sections: sections.map((section) => ({
          title: sectionTitles[section],
          fields: studentFieldNames
            .filter((field) => fieldDefinition(field).section === section)
            .map((field) => ({ field, label: fieldDefinition(field).label, value: textOf(field) })),
        })),
        consent: {
          version: row.consentVersion,
          at: row.consentedAt.toISOString(),
          guardian: row.guardianConsentedAt && {
            name: row.guardianName,
            at: row.guardianConsentedAt.toISOString(),
          },
        },
        readings: rows.flatMap(({ day, action, role, actor, times }) => {
          const [, what] = Object.entries(readingActions).find(([name]) => name === action) ?? []
          return what
            ? [{ day, what, by: role ?? (actor === 'student' ? 'student' : 'portal'), times } as const]
            : []
        }),
      }
    },
  }
}

type NameOf = (component: string | null, level: Level) => string

function whereOf({ enrolments, credits, component, archived }: OwnPageRow, nameOf: NameOf): MyPage['where'] {
  // An open term has one current enrolment, and before it those that were moved to another component.
  const open = enrolments.filter(({ termState }) => termState === 'open')
  const own =
    open.find(({ status }) => status === 'enrolled') ?? open.find(({ status }) => status === 'dropped')
  if (own) return placeOf(own, nameOf)
  // A student who was in a term before reads further down the page what comes next.
  if (archived || enrolments.length > 0 || credits.some(({ kind }) => kind === 'exemption')) return null
  return { state: 'waiting', component, level: '', term: '', section: '', adviser: '', meets: '' }
}

function placeOf(own: OwnEnrolment, nameOf: NameOf): MyPage['where'] {
  const { component, level, academicYear, semester, status, section, unit, adviser, meets } = own
  const place = { component, level: nameOf(component, level), term: termLabel({ academicYear, semester }) }
  if (status === 'dropped' || section === null) {
    const state = status === 'dropped' ? 'dropped' : 'enrolled'
    return { ...place, state, section: '', adviser: '', meets: '' }
  }
  const label = sectionLabel({ unit: unit ?? '', name: section })
  return { ...place, state: 'placed', section: label, adviser: adviser ?? '', meets: meets ?? '' }
}

const isShown = ({ termState }: OwnEnrolment, when: MarksShownWhen) =>
  when === 'at once' || (when === 'closed' && termState === 'closed')

function resultOf(
  { enrolments, credits }: OwnPageRow,
  when: MarksShownWhen,
  nameOf: NameOf,
): MyPage['result'] {
  const own = enrolments.filter(({ status }) => status !== 'moved')
  // A finished term is listed also where its mark is hidden.
  const listed = own.filter(
    (one) => one.termState === 'closed' || (isShown(one, when) && one.outcome !== 'none'),
  )
  const visible = listed.map((one) =>
    isShown(one, when) ? one : { ...one, mark: '', outcome: 'none' as const },
  )
  if (visible.length === 0 && credits.length === 0) return null
  const isEnrolled = own.some(({ termState, status }) => termState === 'open' && status === 'enrolled')
  const next = nextOf(visible, credits)
  return {
    enrolments: visible.map(({ academicYear, semester, component, level, mark, outcome }) => ({
      ...{
        term: termLabel({ academicYear, semester }),
        component,
        level: nameOf(component, level),
        mark,
        outcome,
      },
    })),
    credits: credits.map(({ level, component, school, academicYear, mark }) => ({
      level: level === null ? '' : nameOf(component, level),
      ...{ school, academicYear, mark: when === 'never' ? '' : mark },
    })),
    // An open term says where the student is: only what ends the program comes after it.
    next: isEnrolled && !isEnd(next) ? null : next,
  }
}

const isEnd = (next: NextStep | null | undefined) => next === 'graduate' || next === 'exempt'

const doneOf = (visible: readonly OwnEnrolment[], credits: readonly OwnCredit[]) => ({
  done: [
    ...visible.flatMap(({ outcome, level }) => (outcome === 'passed' ? [level] : [])),
    ...credits.flatMap(({ level }) => (level === null ? [] : [level])),
  ],
  isExempt: credits.some(({ kind }) => kind === 'exemption'),
})

function nextOf(visible: readonly OwnEnrolment[], credits: readonly OwnCredit[]): NextStep | null {
  const { done, isExempt } = doneOf(visible, credits)
  if (isExempt) return 'exempt'
  const level = nextLevelOf({ done, isExempt })
  if (level === null) return 'graduate'
  const latest = visible.find((one) => one.level === level)
  // A term is over and says nothing of its outcome: neither does this.
  if (latest?.outcome === 'none') return null
  if (latest?.outcome === 'incomplete') return 'incomplete'
  if (latest) return 'again'
  return level === 1 ? 'first' : 'second'
}

function serialOf({ serialNumber, certificates, paper }: OwnPageRow): MyPage['serial'] {
  const asked = serialNumber === '' ? paper : null
  if (serialNumber === '' && certificates.length === 0 && asked === null) return null
  return {
    number: serialNumber,
    certificates,
    paper: asked && {
      agency: agencyOf(asked.layout, asked),
      state: asked.state,
      sentOn: asked.sentOn,
    },
  }
}
