import type { SemesterDefinition } from '#shared/periods.ts'
import { academicYearAfter } from '#shared/students/academic-year.ts'
import type { Semester } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'

type Named = Pick<Term, 'academicYear' | 'semester'>

/** After the second semester comes the next year's first one: a summer term is rare. */
export function nextTerm(terms: readonly Named[], currentYear: string): Named {
  const [latest] = terms
  if (!latest) return { academicYear: currentYear, semester: 1 }
  if (latest.semester === 1) return { academicYear: latest.academicYear, semester: 2 }
  return { academicYear: academicYearAfter([latest.academicYear]) ?? currentYear, semester: 1 }
}

/** The term's first and last day by the months of the settings; empty if the settings don't say. */
export function proposedDays(
  semesters: readonly SemesterDefinition[],
  { academicYear, semester }: { academicYear: string; semester: Semester },
): { startsOn: string; endsOn: string } {
  const definition = semesters[semester - 1]
  const begin = Number(academicYear.slice(0, 4))
  if (!definition || !(begin > 0)) return { startsOn: '', endsOn: '' }
  const { firstMonth, lastMonth } = definition
  const firstOfYear = semesters[0]?.firstMonth ?? firstMonth
  const startYear = firstMonth < firstOfYear ? begin + 1 : begin
  const endYear = lastMonth < firstMonth ? startYear + 1 : startYear
  // The day before the first of the next month.
  const last = new Date(Date.UTC(endYear, lastMonth, 0))
  return {
    startsOn: `${startYear}-${String(firstMonth).padStart(2, '0')}-01`,
    endsOn: last.toISOString().slice(0, 10),
  }
}
