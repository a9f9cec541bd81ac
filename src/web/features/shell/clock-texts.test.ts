import { expect, test } from 'vitest'
import { clockTexts } from './clock-texts.ts'

test('the clock shows 12-hour time and the long date', () => {
  expect(clockTexts(new Date('2026-11-20T07:07:00Z'), 'Asia/Manila')).toEqual({
    time: '3:07 PM',
    date: 'Friday, November 20, 2026',
  })
})

test("the clock goes by the program's calendar, wherever the browser is", () => {
  expect(clockTexts(new Date('2026-11-20T16:05:00Z'), 'Asia/Manila')).toEqual({
    time: '12:05 AM',
    date: 'Saturday, November 21, 2026',
  })
})
