import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { mustExist } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { EnrolmentItem, EnrolmentPage, UnplacedPage } from '#shared/terms/enrolments-response.ts'
import { type Level, termLabel, termMessages } from '#shared/terms/terms.ts'
import { createEnrolmentListRepository, type EnrolmentFilters } from './enrolment-list-repository.ts'
import { createTermsRepository, type TermRow } from './repository.ts'

interface Page {
  page: number
  pageSize: number
}

const windowOf = ({ page, pageSize }: Page) => ({ offset: (page - 1) * pageSize, limit: pageSize })

/** Who is in a term, and who waits for it. */
export function createEnrolmentLists({ database: { db }, audit }: Pick<AppContext, 'database' | 'audit'>) {
  async function noteReading(
    term: TermRow,
    list: string,
    read: { affected: number; page: number; actor: Staff },
  ) {
    const { affected, page, actor } = read
    const detail = { list, term: term.id }
    const entry = { action: 'students-listed', actor, subject: termLabel(term), affected, detail } as const
    await audit.recordView(db, entry, String(page))
  }

  return {
    async list(
      termId: string,
      { page, pageSize, ...filters }: EnrolmentFilters & Page,
      actor: Staff,
    ): Promise<EnrolmentPage> {
      const { access } = actor
      const term = mustExist(await createTermsRepository(db).find(termId), termMessages.missing)
      const asksForMarks = filters.outcome !== 'all' || filters.missing === 'mark'
      if (asksForMarks && !access.can('marks.read')) throw new AppError('permission_denied')
      const enrolments = createEnrolmentListRepository(db, access)
      const [rows, total] = await Promise.all([
        enrolments.list(termId, filters, windowOf({ page, pageSize })),
        enrolments.count(termId, filters),
      ])
      await noteReading(term, 'students of a term', { affected: rows.length, page, actor })
      return { items: await withStudents(db, rows, access), total, page, pageSize }
    },

    async unplaced(
      termId: string,
      { page, pageSize, ...cell }: { component: NstpComponent; level: Level } & Page,
      actor: Staff,
    ): Promise<UnplacedPage> {
      const { access } = actor
      const term = mustExist(await createTermsRepository(db).find(termId), termMessages.missing)
      const enrolments = createEnrolmentListRepository(db, access)
      const { rows, total } = await enrolments.listUnplaced(term, cell, windowOf({ page, pageSize }))
      await noteReading(term, 'waiting students', { affected: rows.length, page, actor })
      const students = await enrolments.students(rows.map(({ id }) => id))
      const items = rows.flatMap(({ id, ...row }) => {
        const student = students.get(id)
        return student ? [{ ...row, student }] : []
      })
      return { items, total, page, pageSize }
    },
  }
}

type EnrolmentRow = Awaited<ReturnType<ReturnType<typeof createEnrolmentListRepository>['list']>>[number]

/** As the account may see the students. */
async function withStudents(
  db: Queryable,
  rows: readonly EnrolmentRow[],
  access: Access,
): Promise<EnrolmentItem[]> {
  const students = await createEnrolmentListRepository(db, access).students(
    rows.map(({ studentId }) => studentId),
  )
  return rows.flatMap(({ studentId, sectionId, unit, section, officialAt, mark, outcome, ...enrolment }) => {
    const student = students.get(studentId)
    // Deleted since.
    if (!student) return []
    return [
      {
        ...enrolment,
        student,
        section: sectionId === null ? null : { id: sectionId, unit: unit ?? '', name: section ?? '' },
        officialAt: officialAt?.toISOString() ?? null,
        ...(access.can('marks.read') && { mark, outcome }),
      },
    ]
  })
}
