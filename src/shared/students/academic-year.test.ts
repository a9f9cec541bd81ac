import { expect, test } from 'vitest'
import { agingYears } from './academic-year.ts'

const offered = ['2026-2027', '2024-2025', '2025-2026']

test.each([
  ['2026-06-30', 8, null],
  ['2026-07-01', 8, '2026-2027'],
  ['2027-02-01', 8, '2026-2027'],
  ['2025-11-30', 1, null],
  ['2025-12-01', 1, '2026-2027'],
])(
  'on %s, with years that begin in month %i, the last year on offer to be looked at is %s',
  (day, firstMonth, last) => {
    expect(agingYears({ chosen: '', offered, firstMonth }, day)).toEqual({ ended: null, last })
  },
)

test('no year on offer is none to look at', () => {
  expect(agingYears({ chosen: '', offered: [], firstMonth: 8 }, '2026-11-28')).toEqual({
    ended: null,
    last: null,
  })
})

test.each([
  ['2026-07-31', null],
  ['2026-08-01', '2025-2026'],
])('on %s the chosen year 2025-2026 that has ended is %s', (day, ended) => {
  const years = ['2025-2026', '2030-2031']
  expect(agingYears({ chosen: '2025-2026', offered: years, firstMonth: 8 }, day)).toEqual({
    ended,
    last: null,
  })
})
