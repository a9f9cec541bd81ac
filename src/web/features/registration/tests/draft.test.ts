import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draftKey, draftPlaces, dropExpiredDrafts, readDraft } from '../draft-key.ts'
import { valuesOf } from '../form-values.ts'
import { dropDrafts, endWaiting, keepWaiting, saveDraft } from '../use-draft.ts'

const given = { lastName: 'Dela Cruz', birthYear: '2007' }

const { lifetimeMs } = draftPlaces.device

let entries: Map<string, string>
let tabEntries: Map<string, string>

const storageOf = (stored: Map<string, string>) => ({
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, text: string) => void stored.set(name, text),
  removeItem: (name: string) => void stored.delete(name),
})

beforeEach(() => {
  entries = new Map([['another', 'of somebody else']])
  tabEntries = new Map()
  vi.stubGlobal('localStorage', storageOf(entries))
  vi.stubGlobal('sessionStorage', storageOf(tabEntries))
})
afterEach(() => vi.unstubAllGlobals())

test('a draft is restored with its idempotency key', () => {
  const startedAt = Date.now() - lifetimeMs / 2
  expect(saveDraft('device', given, 'a-key', startedAt)).toBe(true)
  expect(readDraft('device')).toEqual({
    startedAt,
    idempotencyKey: 'a-key',
    values: given,
    asksNumber: false,
  })
  expect(readDraft('tab')).toBeUndefined()
})

test.each(['device', 'tab'] as const)(
  'a draft never contains the social security number or the consent: %s',
  (place) => {
    saveDraft(place, { ...given, socialSecurityNumber: '34-1234567-8', consent: 'true' }, 'a-key', Date.now())
    expect([...entries.values(), ...tabEntries.values()].join()).not.toContain('34-1234567-8')
    expect(readDraft(place)?.values).toEqual(given)
  },
)

test('a draft of a tab ends after an hour, and one on the device after a day', () => {
  const second = 1_000
  const lifetimes = { tab: 3_600 * second, device: 86_400 * second, waiting: 86_400 * second }
  for (const [left, expected] of [
    [5 * second, 3],
    [0, 0],
  ] as const) {
    for (const place of ['tab', 'device', 'waiting'] as const) {
      saveDraft(place, given, 'a-key', Date.now() - lifetimes[place] + left)
    }
    dropExpiredDrafts()
    // Beside what isn't a draft.
    expect([...tabEntries.keys(), ...entries.keys()].length - 1).toBe(expected)
  }
})

const submitted = { ...valuesOf(new FormData()), lastName: 'Dela Cruz', consent: 'true', dayCode: '7K3DM9' }

test('a waiting enlistment is stored with its consent and code, but asks for the social security number again', () => {
  const first = { ...submitted, socialSecurityNumber: '34-1234567-8' }
  expect(keepWaiting(first, 'a-key')).toBe(true)
  expect([...entries.values()].join()).not.toContain('34-1234567-8')
  const values = { lastName: 'Dela Cruz', consent: 'true', dayCode: '7K3DM9' }
  expect(readDraft('waiting')).toMatchObject({ idempotencyKey: 'a-key', values, asksNumber: true })
  // After a reload, before the number is typed again.
  keepWaiting(submitted, 'a-key')
  expect(readDraft('waiting')?.asksNumber).toBe(true)
})

test('saving a waiting enlistment again does not extend its day', () => {
  const startedAt = Date.now() - lifetimeMs / 2
  saveDraft('waiting', submitted, 'a-key', startedAt)
  keepWaiting(submitted, 'a-key')
  expect(readDraft('waiting')?.startedAt).toBe(startedAt)
})

test('a second enlistment neither replaces nor ends the one that waits', () => {
  keepWaiting(submitted, 'a-key')
  expect(keepWaiting({ ...submitted, lastName: 'Macaraeg' }, 'another-key')).toBe(false)
  endWaiting('another-key')
  expect(readDraft('waiting')?.values).toMatchObject({ lastName: 'Dela Cruz' })
  endWaiting('a-key')
  expect(readDraft('waiting')).toBeUndefined()
})

const draftOf = (draft: object) =>
  JSON.stringify({ startedAt: Date.now(), idempotencyKey: 'a-key', values: {}, ...draft })

test.each([
  ['older than a day', draftOf({ startedAt: Date.now() - lifetimeMs })],
  ['started after now, because the clock was set back', draftOf({ startedAt: Date.now() + lifetimeMs })],
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
  expect(readDraft('device')).toBeUndefined()
  expect([...entries.keys()]).toEqual(['another'])
})

test('nothing is left after an enlistment, but another one that waits', () => {
  saveDraft('device', given, 'a-key', Date.now())
  saveDraft('tab', given, 'a-key', Date.now())
  keepWaiting(submitted, 'another-key')
  dropDrafts('a-key')
  expect([readDraft('device'), readDraft('tab')]).toEqual([undefined, undefined])
  expect(readDraft('waiting')).toMatchObject({ idempotencyKey: 'another-key' })
  dropDrafts('another-key')
  expect([...entries.keys(), ...tabEntries.keys()]).toEqual(['another'])
})

test('a browser without storage causes no error', () => {
  vi.stubGlobal('localStorage', undefined)
  vi.stubGlobal('sessionStorage', undefined)
  dropDrafts('a-key')
  expect(readDraft('device')).toBeUndefined()
  expect(saveDraft('tab', given, 'a-key', Date.now())).toBe(false)
  expect(keepWaiting(submitted, 'a-key')).toBe(false)
})
