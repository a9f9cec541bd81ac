import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draftKey, draftLifetimeMs, dropDraft, dropExpiredDraft, hasStoredDraft } from './draft-key.ts'

let entries: Map<string, string>

beforeEach(() => {
  entries = new Map([['another', 'of somebody else']])
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => entries.get(name) ?? null,
    removeItem: (name: string) => void entries.delete(name),
  })
})
afterEach(() => vi.unstubAllGlobals())

const draftOf = (startedAt: unknown) => JSON.stringify({ startedAt, idempotencyKey: 'a-key', values: {} })

test('pages do not delete an unexpired draft', () => {
  entries.set(draftKey, draftOf(Date.now() - draftLifetimeMs / 2))
  dropExpiredDraft()
  expect(hasStoredDraft()).toBe(true)
})

test.each([
  ['older than a day', draftOf(Date.now() - draftLifetimeMs)],
  ['begun after now', draftOf(Date.now() + draftLifetimeMs)],
  ['without a beginning', draftOf(undefined)],
  ['null', 'null'],
  ['no JSON', 'lastName=Cruz'],
])('any page takes a draft away that is %s', (_case, text) => {
  entries.set(draftKey, text)
  dropExpiredDraft()
  expect([...entries.keys()]).toEqual(['another'])
})

test('the confirmation deletes the draft', () => {
  entries.set(draftKey, draftOf(Date.now()))
  dropDraft()
  expect([...entries.keys()]).toEqual(['another'])
})

test('a browser without storage causes no error', () => {
  vi.stubGlobal('localStorage', undefined)
  dropExpiredDraft()
  dropDraft()
  expect(hasStoredDraft()).toBe(false)
})
