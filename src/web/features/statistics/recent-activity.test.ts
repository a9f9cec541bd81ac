import { expect, test } from 'vitest'
import type { AuditItem } from '#shared/audit/audit-response.ts'
import { activityLines } from './recent-activity.tsx'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 2, minute)).toISOString()

function change(id: string, minute: number): AuditItem {
  return {
    id,
    at: at(minute),
    action: 'settings-changed',
    actor: 'admin@school.example',
    actorName: '',
    clientAddress: '',
    userAgent: '',
    requestId: '',
    studentId: null,
    studentName: null,
    subject: '',
    fields: [],
    affected: 1,
    detail: {},
    hasValues: false,
  }
}

const enlisted = (id: string, minute: number) => ({ id, name: `${id}, Ana`, at: at(minute) })

test('few enlistments have a line each, among the changes by time', () => {
  const latest = [enlisted('Cruz', 30), enlisted('Peña', 10)]
  const lines = activityLines([change('a', 40), change('b', 20)], { count: 2, latest })
  expect(lines).toMatchObject([
    { id: 'a', by: 'admin@school.example' },
    { what: 'Student enlisted', student: { id: 'Cruz', name: 'Cruz, Ana' } },
    { id: 'b' },
    { student: { id: 'Peña' } },
  ])
})

test('many are one line, as of the latest', () => {
  const latest = [enlisted('Cruz', 30), enlisted('Peña', 10), enlisted('Reyes', 5)]
  expect(activityLines([change('a', 20)], { count: 12, latest })).toMatchObject([
    { what: '12 students enlisted', at: at(30) },
    { id: 'a' },
  ])
})

test('there are no more lines than fit the card', () => {
  const changes = Array.from({ length: 8 }, (_, index) => change(String(index), 50 - 2 * index))
  const lines = activityLines(changes, { count: 1, latest: [enlisted('Cruz', 47)] })
  expect(lines).toHaveLength(8)
  expect(lines[2]).toMatchObject({ id: 'Cruz' })
})
