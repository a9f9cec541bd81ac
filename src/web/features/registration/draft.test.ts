import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draftKey, draftLifetimeMs, dropDraft, readDraft } from './draft-key.ts'
import { saveDraft } from './use-enlistment.ts'

const given = { lastName: 'Dela Cruz', birthYear: '2007' }

let entries: Map<string, string>

beforeEach(() => {
  entries = new Map([['another', 'of somebody else']])
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, text: string) => void entries.set(name, text),
    removeItem: (name: string) => void entries.delete(name),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a draft is restored with its idempotency key', () => {
  const startedAt = Date.now() - draftLifetimeMs / 2
  saveDraft(given, 'a-key', startedAt)
  expect(readDraft()).toEqual({ startedAt, idempotencyKey: 'a-key', values: given })
})

test('a draft never contains the social security number or the consent', () => {
  saveDraft({ ...given, socialSecurityNumber: '34-1234567-8', consent: 'true' }, 'a-key', Date.now())
  expect(entries.get(draftKey)).not.toContain('34-1234567-8')
  expect(readDraft()?.values).toEqual(given)
})

const draftOf = (draft: object) =>
  JSON.stringify({ startedAt: Date.now(), idempotencyKey: 'a-key', values: {}, ...draft })

test.each([
  ['older than a day', draftOf({ startedAt: Date.now() - draftLifetimeMs })],
  ['started after now, because the clock was set back', draftOf({ startedAt: Date.now() + draftLifetimeMs })],
  ['without a start', draftOf({ startedAt: undefined })],
  ['started at a text', draftOf({ startedAt: 'now' })],
  ['with another key', draftOf({ idempotencyKey: 7 })],
  ['without values', draftOf({ values: null })],
  ['null', 'null'],
  ['a number', '5'],
  ['a list', '[]'],
  ['no JSON', 'lastName=Cruz'],
])('any page deletes a draft that is %s', (_case, text) => {
  entries.set(draftKey, text)
  expect(readDraft()).toBeUndefined()
  expect([...entries.keys()]).toEqual(['another'])
})

test('the confirmation deletes the draft', () => {
  saveDraft(given, 'a-key', Date.now())
  dropDraft()
  expect([...entries.keys()]).toEqual(['another'])
})

test('a browser without storage causes no error', () => {
  vi.stubGlobal('localStorage', undefined)
  dropDraft()
  expect(readDraft()).toBeUndefined()
})
