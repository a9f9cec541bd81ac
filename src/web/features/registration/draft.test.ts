import { beforeEach, describe, expect, test } from 'vitest'
import { clearDraft, readDraft, saveDraft } from './draft.ts'
import { draftKey, draftLifetimeMs } from './draft-key.ts'

const started = Date.UTC(2026, 10, 20, 3)
const draft = { values: { lastName: 'Dela Cruz', birthYear: '2007' }, idempotencyKey: 'a-key-of-this-form' }

let kept: Map<string, string>
const store = {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, text: string) => void kept.set(name, text),
  removeItem: (name: string) => void kept.delete(name),
}

beforeEach(() => {
  kept = new Map()
})

describe('a draft', () => {
  test('comes back with the key that it is to be sent with', () => {
    saveDraft(store, draft, started)
    expect(readDraft(store, started + 1)).toEqual({ ...draft, startedAt: started })
  })

  test('never holds the social security number or the consent', () => {
    const values = { ...draft.values, socialSecurityNumber: '34-1234567-8', consent: 'true' }
    saveDraft(store, { ...draft, values }, started)
    expect(kept.get(draftKey)).not.toContain('34-1234567-8')
    expect(readDraft(store, started)?.values).toEqual(draft.values)
  })

  test('ends after 24 hours and leaves nothing', () => {
    saveDraft(store, draft, started)
    expect(readDraft(store, started + draftLifetimeMs - 1)).toBeDefined()
    expect(readDraft(store, started + draftLifetimeMs)).toBeUndefined()
    expect(kept.size).toBe(0)
  })

  test('does not live longer because it is saved again', () => {
    saveDraft(store, draft, started)
    saveDraft(store, draft, started)
    expect(readDraft(store, started + draftLifetimeMs)).toBeUndefined()
  })

  test('does not live longer because the clock was set back', () => {
    saveDraft(store, draft, started)
    expect(readDraft(store, started - 1)).toBeUndefined()
    expect(kept.size).toBe(0)
  })

  test('is gone when it is cleared', () => {
    saveDraft(store, draft, started)
    clearDraft(store)
    expect(kept.size).toBe(0)
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
  kept.set(draftKey, text)
  expect(readDraft(store, started)).toBeUndefined()
  expect(kept.size).toBe(0)
})

test('of a draft only known fields with texts are taken', () => {
  const values = { lastName: 'Cruz', firstName: 5, socialSecurityNumber: '34', admin: 'true' }
  kept.set(draftKey, JSON.stringify({ startedAt: started, idempotencyKey: 'a', values }))
  expect(readDraft(store, started)?.values).toEqual({ lastName: 'Cruz' })
})
