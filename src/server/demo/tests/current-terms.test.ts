import { expect, test } from 'vitest'
import { currentTerms } from '../fill-terms.ts'

test.each([
  ['2026-06-01', '2026-06-01', '2026-12-19', '2027-01-11', '2027-05-31'],
  ['2026-09-10', '2026-07-02', '2026-12-19', '2027-01-11', '2027-05-31'],
  ['2026-12-19', '2026-08-03', '2027-01-23', '2027-02-06', '2027-06-26'],
  ['2027-05-31', '2026-08-03', '2027-07-05', '2027-07-19', '2027-12-06'],
])(
  'on %s the open term of the demo has begun and goes on, and the next one follows',
  (today, ...expected) => {
    const { open, planned } = currentTerms(today, 2026)
    expect([open.startsOn, open.endsOn, planned.startsOn, planned.endsOn]).toEqual(expected)
  },
)
