import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAnswerLog } from './answer-log.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function setUp(level = 'info') {
  const lines: unknown[] = []
  const log = pino({ level, base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) })
  return { answers: createAnswerLog(log), lines }
}

const line = { level: 30, method: 'GET', msg: 'answered from memory' }

test('kept answers are one line a second for each route and status', () => {
  const { answers, lines } = setUp()
  answers.note('/', 200)
  answers.note('/', 200)
  answers.note('/', 304)
  answers.note('/faq', 200)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(lines).toEqual([
    { ...line, route: '/', status: 200, answers: 2 },
    { ...line, route: '/', status: 304, answers: 1 },
    { ...line, route: '/faq', status: 200, answers: 1 },
  ])
  answers.note('/', 200)
  vi.advanceTimersByTime(1_000)
  expect(lines.at(-1)).toEqual({ ...line, route: '/', status: 200, answers: 1 })
  expect(lines).toHaveLength(4)
})

test('what was counted is written when the server stops, and only once', () => {
  const { answers, lines } = setUp()
  answers.note('/', 200)
  answers.close()
  vi.advanceTimersByTime(2_000)
  expect(lines).toHaveLength(1)
})

test('nothing is counted where nobody reads it', () => {
  const { answers, lines } = setUp('warn')
  answers.note('/', 200)
  answers.close()
  expect(lines).toEqual([])
})
