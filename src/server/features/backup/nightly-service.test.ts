import { expect, test } from 'vitest'
import { isDue } from './nightly-service.ts'

const at = (text: string) => new Date(text)
const manila = 'Asia/Manila'

function isDueAt(now: string, { made = '', tried = '', folder = '/mnt/backup', timeZone = manila } = {}) {
  const row = { folder, madeAt: made ? at(made) : null, triedAt: tried ? at(tried) : null }
  return isDue(row, at(now), timeZone)
}

test('without a folder none is made', () => {
  expect(isDueAt('2026-11-20T03:00+08:00', { folder: '' })).toBe(false)
})

test.each([
  ['the first one', '2026-11-20T15:00+08:00', '', true],
  ['before two', '2026-11-20T01:59+08:00', '2026-11-19T02:30+08:00', false],
  ['after midnight, made before it by hand', '2026-11-20T00:30+08:00', '2026-11-19T23:50+08:00', false],
  ['after two', '2026-11-20T02:00+08:00', '2026-11-19T23:50+08:00', true],
  ['in the morning, the product was off at night', '2026-11-20T09:10+08:00', '2026-11-19T02:30+08:00', true],
  ['a second one of a night', '2026-11-20T23:10+08:00', '2026-11-20T02:30+08:00', false],
  ['made by a clock that ran ahead', '2026-11-20T02:10+08:00', '2031-01-01T02:30+08:00', true],
])('%s', (_what, now, made, expected) => {
  expect(isDueAt(now, { made })).toBe(expected)
})

test('the night is that of the school', () => {
  const made = '2026-11-19T12:00Z'
  // Two in the morning in Manila, six in the evening before in London.
  expect(isDueAt('2026-11-19T18:00Z', { made })).toBe(true)
  expect(isDueAt('2026-11-19T18:00Z', { made, timeZone: 'Europe/London' })).toBe(false)
})

test.each([
  ['2026-11-20T02:49+08:00', false],
  ['2026-11-20T03:00+08:00', true],
])('one that failed at two is tried again an hour later, not sooner: %s', (now, expected) => {
  expect(isDueAt(now, { made: '2026-11-19T02:30+08:00', tried: '2026-11-20T02:00+08:00' })).toBe(expected)
})
