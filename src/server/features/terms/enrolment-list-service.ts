import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError } from '#server/lib/errors.ts'
import { visible } from '#server/lib/visible.ts'
import type { LimitStanding } from '#shared/attendance/standing.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { EnrolmentItem, EnrolmentPage, UnplacedPage } from '#shared/terms/enrolments-response.ts'
import { type Level, termLabel } from '#shared/terms/terms.ts'
import { createEnrolmentListRepository, type EnrolmentFilters } from './enrolment-list-repository.ts'
import type { TermRow } from './repository.ts'
import { findTerm } from './service.ts'

interface StandingQuery extends Omit<EnrolmentFilters, 'studentIds'> {
  standing: LimitStanding | 'all'
}

interface Page {
  page: number
  pageSize: number
}

const windowOf = ({ page, pageSize }: Page) => ({ offset: (page - 1) * pageSize, limit: pageSize })

/** Finds who is near or over the limits of absences, by the student's id. */
export type ListStanding = (
  termId: string,
  wanted: { component: string; level: string },
  access: Access,
) => Promise<ReadonlyMap<string, LimitStanding>>

/** Lists the students in a term, and those who wait to be placed in it. */
export function createEnrolmentLists(
  { database, audit }: Pick<AppContext, 'database' | 'audit'>,
  listStanding: ListStanding,
) {
  const { db } = database

  async function noteReading(
    term: Pick<TermRow, 'academicYear' | 'semester'>,
    detail: { list: string; term: string },
    read: { affected: number; page: number; actor: Staff },
  ) {
    const { affected, page, actor } = read
    const entry = { action: 'students-listed', actor, subject: termLabel(term), affected, detail } as const
    await audit.recordView(db, entry, String(page))
  }

  async function idsOf(
    termId: string,
    { component, level, standing }: Pick<StandingQuery, 'component' | 'level' | 'standing'>,
    access: Access,
  ): Promise<string[] | undefined> {
    if (standing === 'all') return undefined
    const found = await listStanding(termId, { component, level }, access)
    return [...found].flatMap(([id, own]) => (own === standing ? [id] : []))
  }

  return {
    async list(
      termId: string,
      { page, pageSize, standing, ...query }: StandingQuery & Page,
      actor: Staff,
    ): Promise<EnrolmentPage> {
      const { access } = actor
      const asksForMarks = query.outcome !== 'all' || query.missing === 'mark' || query.sort.endsWith('entry')
      if (asksForMarks && !access.can('marks.read')) throw new AppError('permission_denied')
      if (standing !== 'all' && !access.can('enrolments')) throw new AppError('permission_denied')
      const filters = { ...query, studentIds: await idsOf(termId, { ...query, standing }, access) }
      const enrolments = createEnrolmentListRepository(database, access)
      const rows = await enrolments.list(termId, filters, windowOf({ page, pageSize }))
      const [first] = rows
      const term = first
        ? { academicYear: first.termYear, semester: first.semester }
        : await findTerm(db, termId)
      const total = first?.total ?? (await enrolments.count(termId, filters))
      const detail = { list: 'students of a term', term: termId }
      await noteReading(term, detail, { affected: rows.length, page, actor })
      return { items: rows.map((row) => presentRow(row, access)), total, page, pageSize }
    },

    async unplaced(
      termId: string,
      { page, pageSize, ...cell }: { component: NstpComponent; level: Level } & Page,
      actor: Staff,
    ): Promise<UnplacedPage> {
      const { access } = actor
      const term = await findTerm(db, termId)
      const enrolments = createEnrolmentListRepository(database, access)
      const { rows, total } = await enrolments.listUnplaced(term, cell, windowOf({ page, pageSize }))
      const detail = { list: 'waiting students', term: termId }
      await noteReading(term, detail, { affected: rows.length, page, actor })
      const items = rows.map(({ enrolmentId, version, entry, total: _ofAll, ...student }) => ({
        ...{ enrolmentId, version, entry },
        student: visible(student, access),
      }))
      return { items, total, page, pageSize }
    },
  }
}

type EnrolmentRow = Awaited<ReturnType<ReturnType<typeof createEnrolmentListRepository>['list']>>[number]

/** Shows only what the account may see of the student. */
function presentRow(row: EnrolmentRow, access: Access): EnrolmentItem {
  const { enrolmentId, version, component, level, status, statusOn, school, ...others } = row
  const { sectionId, unit, section, officialAt, termYear, semester, total, ...rest } = others
  const { reason, entry, mark, outcome, ...student } = rest
  return {
    ...{ id: enrolmentId, version, component, level, status, statusOn, school },
    student: visible(student, access),
    section: sectionId === null ? null : { id: sectionId, unit: unit ?? '', name: section ?? '' },
    officialAt: officialAt?.toISOString() ?? null,
    ...visibleOfEnrolment({ reason, entry, mark, outcome }, access),
  }
}

/**
 * Privacy: the reason may be an illness, which who can't change the enrolment has no use for. "Repeating" says that the level
 * was failed, so the entry is hidden with the marks.
 */
export function visibleOfEnrolment(
  { reason, entry, mark, outcome }: Required<Pick<EnrolmentItem, 'reason' | 'entry' | 'mark' | 'outcome'>>,
  access: Access,
): Pick<EnrolmentItem, 'reason' | 'entry' | 'mark' | 'outcome'> {
  return {
    reason: access.can('enrolments') ? reason : '',
    ...(access.can('marks.read') && { entry, mark, outcome }),
  }
}
