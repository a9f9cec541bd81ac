import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draftKey, draftLifetimeMs, dropDraft, dropExpiredDraft, hasStoredDraft } from './draft-key.ts'

let kept: Map<string, string>

beforeEach(() => {
  kept = new Map([['another', 'of somebody else']])
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    removeItem: (name: string) => void kept.delete(name),
  })
})
afterEach(() => vi.unstubAllGlobals())

const draftOf = (startedAt: unknown) => JSON.stringify({ startedAt, idempotencyKey: 'a-key', values: {} })

test('any page leaves a draft of today alone', () => {
  kept.set(draftKey, draftOf(Date.now() - draftLifetimeMs / 2))
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
  kept.set(draftKey, text)
  dropExpiredDraft()
  expect([...kept.keys()]).toEqual(['another'])
})

test('the confirmation takes the draft away, whatever its age', () => {
  kept.set(draftKey, draftOf(Date.now()))
  dropDraft()
  expect([...kept.keys()]).toEqual(['another'])
})

test('a browser that gives no storage is no fault', () => {
  vi.stubGlobal('localStorage', undefined)
  dropExpiredDraft()
  dropDraft()
  expect(hasStoredDraft()).toBe(false)
})
