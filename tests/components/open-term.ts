import type { Section, Term } from '#shared/terms/terms-response.ts'
import type { Cell } from '#web/features/terms/data.ts'

export const term: Term = {
  id: '01990000-0000-7000-8000-000000000001',
  academicYear: '2026-2027',
  semester: 1,
  startsOn: '2026-08-03',
  endsOn: '2026-12-19',
  state: 'open',
  version: 1,
}

export const cell: Cell = {
  ...{ component: 'CWTS', level: 1, sections: 1, capacity: 40 },
  ...{ placed: 0, withoutSection: 0, official: 0, marked: 0, waiting: 30 },
}

export const buildSection = (name: string, level: 1 | 2 = 1): Section => ({
  ...{ id: name, component: 'CWTS', level, unit: '', name, capacity: 40 },
  ...{ takes: 'all', courses: [], adviser: '', meets: '', students: 0, official: 0, version: 1 },
})
