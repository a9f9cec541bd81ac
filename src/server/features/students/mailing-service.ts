import type { Queryable } from '#server/database/schema.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { StudentAudience } from '#shared/mail/mail.ts'
import { periodRange, type SemesterDefinition } from '#shared/periods.ts'
import { defaultStudentFilters } from '#shared/students/students.ts'
import { type AddressedStudent, createMailingRepository } from './mailing-repository.ts'

interface StudentMailingOptions {
  clock: Clock
  timeZone: string
  // Read at each call, because settings may change.
  semesters: () => readonly SemesterDefinition[]
}

export function createStudentMailing({ clock, timeZone, semesters }: StudentMailingOptions) {
  function selectionOf({ component, academicYear, archive, period }: StudentAudience) {
    const { sort, search } = defaultStudentFilters
    const calendar = { now: clock(), timeZone, semesters: semesters() }
    return {
      sort,
      search,
      component: component ?? defaultStudentFilters.component,
      academicYear: academicYear ?? defaultStudentFilters.academicYear,
      archive: archive ?? defaultStudentFilters.archive,
      registered: periodRange(period ?? defaultStudentFilters.period, calendar),
    }
  }

  return {
    /** @param keep locks the students until the transaction `db` ends */
    addressed: (
      db: Queryable,
      audience: StudentAudience,
      { limit, keep }: { limit: number; keep: boolean },
    ): Promise<AddressedStudent[]> =>
      createMailingRepository(db).addressed(selectionOf(audience), {
        course: audience.course ?? null,
        limit,
        keep,
      }),

    withAddresses: (
      db: Queryable,
      keys: readonly string[],
      { keep }: { keep: boolean },
    ): Promise<AddressedStudent[]> => createMailingRepository(db).withAddresses(keys, keep),
  }
}
