import { beforeEach, describe, expect, test } from 'vitest'
import { clearDraft, readDraft, saveDraft } from './draft.ts'
import { draftKey, draftLifetimeMs } from './draft-key.ts'

const started = Date.UTC(2026, 10, 20, 3)
const draft = { values: { lastName: 'Dela Cruz', birthYear: '2007' }, idempotencyKey: 'a-key-of-this-form' }

let entries: Map<string, string>
const store = {
  getItem: (name: string) => entries.get(name) ?? null,
  setItem: (name: string, text: string) => void entries.set(name, text),
  removeItem: (name: string) => void entries.delete(name),
}

beforeEach(() => {
  entries = new Map()
})

describe('a draft', () => {
  test('is restored with its idempotency key', () => {
    saveDraft(store, draft, started)
    expect(readDraft(store, started + 1)).toEqual({ ...draft, startedAt: started })
  })

  test('never contains the social security number or the consent', () => {
    const values = { ...draft.values, socialSecurityNumber: '34-1234567-8', consent: 'true' }
    saveDraft(store, { ...draft, values }, started)
    expect(entries.get(draftKey)).not.toContain('34-1234567-8')
    expect(readDraft(store, started)?.values).toEqual(draft.values)
  })

  test('expires after 24 hours and is deleted', () => {
    saveDraft(store, draft, started)
    expect(readDraft(store, started + draftLifetimeMs - 1)).toBeDefined()
    expect(readDraft(store, started + draftLifetimeMs)).toBeUndefined()
    expect(entries.size).toBe(0)
  })

  test('is not extended by saving it again', () => {
    saveDraft(store, draft, started)
    saveDraft(store, draft, started)
    expect(readDraft(store, started + draftLifetimeMs)).toBeUndefined()
  })

  test('is not extended by setting the clock back', () => {
    saveDraft(store, draft, started)
    expect(readDraft(store, started - 1)).toBeUndefined()
    expect(entries.size).toBe(0)
  })

  test('is deleted when cleared', () => {
    saveDraft(store, draft, started)
    clearDraft(store)
    expect(entries.size).toBe(0)
    expect(readDraft(store, started)).toBeUndefined()
  })
})

test.each([
  'not JSON',
  'null',
  '5',
  '[]',
  '{}',
  '{"startedAt":"now","idempotencyKey":"a","values":{}}',
  `{"startedAt":${started},"idempotencyKey":7,"values":{}}`,
  `{"startedAt":${started},"idempotencyKey":"a","values":null}`,
])('what is no draft is cleared away: %s', (text) => {
  entries.set(draftKey, text)
  expect(readDraft(store, started)).toBeUndefined()
  expect(entries.size).toBe(0)
})

test('only text values of form fields are restored', () => {
  const values = { lastName: 'Cruz', firstName: 5, socialSecurityNumber: '34', admin: 'true' }
  entries.set(draftKey, JSON.stringify({ startedAt: started, idempotencyKey: 'a', values }))
  expect(readDraft(store, started)?.values).toEqual({ lastName: 'Cruz' })
})
