import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { StudentAudience } from '#shared/mail/mail-batch.ts'
import { periodRange } from '#shared/periods.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { defaultStudentFilters } from '#shared/students/students.ts'
import { type AddressedStudent, readAddressed, readWithAddresses } from './repository.ts'

export function createStudentMailing({
  clock,
  timeZone,
  settings,
}: Pick<AppContext, 'clock' | 'timeZone'> & { settings: () => Pick<Settings, 'semesters'> }) {
  function selectionOf(
    { component, academicYear, course, archive, period, ids }: StudentAudience,
    access: Access,
  ) {
    const { duplicates: _notAsked, ...defaults } = defaultStudentFilters
    const calendar = { now: clock(), timeZone, semesters: settings().semesters }
    return {
      ...defaults,
      component: component ?? defaults.component,
      academicYear: academicYear ?? defaults.academicYear,
      course: course || defaults.course,
      archive: archive ?? defaults.archive,
      registered: periodRange(period ?? defaultStudentFilters.period, calendar),
      ids,
      access,
    }
  }

  return {
    /** @param lock locks the students until the transaction `db` ends */
    addressed: (
      db: Queryable,
      audience: StudentAudience,
      { access, ...limits }: { limit: number; lock: boolean; access: Access },
    ): Promise<AddressedStudent[]> => readAddressed(db, selectionOf(audience, access), limits),

    withAddresses: readWithAddresses,
  }
}
