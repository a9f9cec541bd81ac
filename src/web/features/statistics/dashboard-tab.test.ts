import { describe, expect, test } from 'vitest'
import { statCards } from './dashboard-tab.tsx'

const counts = {
  totalStudents: 12_345,
  rotcStudents: 5000,
  cwtsStudents: 7300,
  ltsStudents: 45,
  recentRegistrations: 143,
  lastSevenDays: 38,
  archivedStudents: 1210,
  activeAnnouncements: 12,
  quotas: [{ component: 'ROTC', academicYear: '2026-2027', count: 4800, quota: 5000 }],
  enlistments: { count: 0, latest: [] },
}

describe("the dashboard's cards", () => {
  test('show their figures in order', () => {
    expect(statCards(counts).map(({ title, figure }) => [title, figure])).toEqual([
      ['Total Students', 12_345],
      ['ROTC Students', 5000],
      ['CWTS Students', 7300],
      ['LTS Students', 45],
      ['Recent Registrations', 143],
      ['Active Announcements', 12],
    ])
  })

  test('open the list that the figure counts', () => {
    expect(statCards(counts).map(({ to }) => to)).toEqual([
      '/admin?tab=students',
      '/admin?tab=students&component=ROTC',
      '/admin?tab=students&component=CWTS',
      '/admin?tab=students&component=LTS',
      '/admin?tab=students&period=last-7-days',
      '/admin?tab=announcements',
    ])
  })

  test('show the 7-day count under the 30-day count, and the archived students', () => {
    const notes = statCards(counts).map(({ note }) => note)
    expect(notes.at(-2)).toBe('Last 30 days · 38 in the last 7 days')
    expect(notes[0]).toBe('Active students (1,210 archived not included)')
  })

  test('say how many slots of a quota are taken', () => {
    const notes = statCards(counts).map(({ note }) => note)
    expect(notes.slice(1, 3)).toEqual(['4,800 of 5,000 slots in 2026-2027', 'Civic Welfare Training Service'])
    const quotas = [{ component: 'ROTC', academicYear: '2026-2027', count: 481, quota: 1 }]
    expect(statCards({ ...counts, quotas })[1]?.note).toBe('481 enlisted, 1 slot in 2026-2027: full')
  })

  test('are shown without figures while these are loading', () => {
    expect(statCards(null).map(({ figure }) => figure)).toEqual([null, null, null, null, null, null])
  })
})
