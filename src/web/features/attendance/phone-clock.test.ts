import { expect, test } from 'vitest'
import { correctedDay, noteContact } from './phone-clock.ts'

const answerAt = (time: number) =>
  Promise.resolve({ headers: new Headers({ Date: new Date(time).toUTCString() }) })

test('a day is that of the school, also on a phone of another time zone or another time', async () => {
  const [beforeEight, afterEight] = ['2026-09-12T07:40+08:00', '2026-09-12T08:10+08:00'].map(Date.parse)
  if (!beforeEight || !afterEight) throw new Error('no times')
  await noteContact(answerAt(Date.now()))
  // In Greenwich a day begins between the two.
  expect(correctedDay(beforeEight, 'Asia/Manila')).toBe('2026-09-12')
  expect(correctedDay(afterEight, 'Asia/Manila')).toBe('2026-09-12')
  const eightHours = 8 * 3_600_000
  await noteContact(answerAt(Date.now() - eightHours))
  expect(correctedDay(beforeEight + eightHours, 'Asia/Manila')).toBe('2026-09-12')
  expect(correctedDay(beforeEight, 'Asia/Manila')).toBe('2026-09-11')
})
