import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { draftKey, draftPlaces, dropExpiredDrafts, readDraft, readKept, saveText } from '../draft-key.ts'
import { valuesOf } from '../form-values.ts'
import { createKeptCopy } from '../kept-copy.ts'
import { draftOf, dropDrafts, endWaiting, keepWaiting } from '../use-draft.ts'

const given = { lastName: 'Dela Cruz', birthYear: '2007' }

const { lifetimeMs } = draftPlaces.waiting

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

function saveDraft(
  place: 'tab' | 'waiting',
  values: Parameters<typeof draftOf>[1],
  key: string,
  startedAt: number,
) {
  return saveText(place, JSON.stringify(draftOf(place, values, key, startedAt)))
}

test('a draft is restored with its idempotency key', () => {
  const startedAt = Date.now() - lifetimeMs / 48
  expect(saveDraft('tab', given, 'a-key', startedAt)).toBe(true)
  expect(readDraft('tab')).toEqual({ startedAt, idempotencyKey: 'a-key', values: given, asksNumber: false })
  expect(readDraft('waiting')).toBeUndefined()
})

test('a draft never contains the social security number or the consent', () => {
  saveDraft('tab', { ...given, socialSecurityNumber: '34-1234567-8', consent: 'true' }, 'a-key', Date.now())
  expect([...tabEntries.values()].join()).not.toContain('34-1234567-8')
  expect(readDraft('tab')?.values).toEqual(given)
})

describe('what the device keeps', () => {
  const draft = (lastName = 'Dela Cruz', startedAt = Date.now()) =>
    draftOf('tab', { lastName, socialSecurityNumber: '34-1234567-8' }, 'a-key', startedAt)
  const stored = () => entries.get(draftKey) ?? ''

  test('is opened by the birth date alone, and holds no social security number', async () => {
    await createKeptCopy().save('2007-03-14', draft())
    expect(Object.keys(JSON.parse(stored())).toSorted()).toEqual(['data', 'iv', 'salt', 'startedAt'])
    expect(stored()).not.toContain('Cruz')
    expect(await createKeptCopy().open('2007-03-15')).toBeUndefined()
    const opened = await createKeptCopy().open('2007-03-14')
    expect(opened).toMatchObject({ idempotencyKey: 'a-key', values: { lastName: 'Dela Cruz' } })
    expect(JSON.stringify(opened)).not.toContain('34-1234567-8')
  })

  test('begins with the birth date, and no two copies look alike', async () => {
    const copy = createKeptCopy()
    for (const unfinished of ['', '-03-', '2007-02-30']) await copy.save(unfinished, draft())
    expect(stored()).toBe('')
    const seen = new Set<string>()
    for (const _ of [1, 2]) {
      await copy.save('2007-03-14', draft())
      seen.add(JSON.parse(stored()).data)
    }
    expect(seen.size).toBe(2)
  })

  test('opens by the birth date as it was corrected, and goes on under the same lock', async () => {
    const copy = createKeptCopy()
    await copy.save('2007-03-14', draft())
    await copy.save('2007-03-15', draft('Macaraeg'))
    const reopened = createKeptCopy()
    expect(await reopened.open('2007-03-14')).toBeUndefined()
    expect(await reopened.open('2007-03-15')).toMatchObject({ values: { lastName: 'Macaraeg' } })
    const { salt } = JSON.parse(stored())
    await reopened.save('2007-03-15', draft('Bituin'))
    expect(JSON.parse(stored()).salt).toBe(salt)
    expect(await createKeptCopy().open('2007-03-15')).toMatchObject({ values: { lastName: 'Bituin' } })
  })

  test('does not come back from another tab, nor after what was begun before it was deleted', async () => {
    const copy = createKeptCopy()
    const saving = copy.save('2007-03-14', draft())
    copy.drop()
    await saving
    expect(stored()).toBe('')
    await copy.save('2007-03-14', draft())
    entries.delete(draftKey)
    await copy.save('2007-03-14', draft())
    expect(stored()).toBe('')
  })

  test('goes on after a pause of an hour, and after it was left', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const copy = createKeptCopy()
    await copy.save('2007-03-14', draft())
    vi.setSystemTime(Date.now() + 3_600_000)
    await copy.save('2007-03-14', draft())
    expect(readKept()).toBeDefined()
    entries.delete(draftKey)
    copy.leave()
    await copy.save('2007-03-14', draft())
    expect(readKept()).toBeDefined()
    vi.useRealTimers()
  })

  test('is tried again after the browser could not encrypt', async () => {
    const copy = createKeptCopy()
    vi.stubGlobal('crypto', { subtle: {}, getRandomValues: () => new Uint8Array(16) })
    expect(await copy.save('2007-03-14', draft())).toBe(false)
    vi.unstubAllGlobals()
    vi.stubGlobal('localStorage', storageOf(entries))
    expect(await copy.save('2007-03-14', draft())).toBe(true)
  })

  test('of the next student is neither replaced nor deleted by a form from before', async () => {
    const [before, next] = [createKeptCopy(), createKeptCopy()]
    await before.save('2007-03-14', draft())
    await next.save('2008-01-02', draft('Macaraeg'))
    const kept = stored()
    await before.save('2007-03-14', draft())
    before.drop()
    expect(stored()).toBe(kept)
    next.drop()
    expect(stored()).toBe('')
  })

  test('is nothing over plain http, where browsers encrypt nothing', async () => {
    vi.stubGlobal('crypto', {})
    await createKeptCopy().save('2007-03-14', draft())
    expect(stored()).toBe('')
  })

  test('ends after an hour, also when it was changed', async () => {
    await createKeptCopy().save('2007-03-14', draft('Dela Cruz', Date.now() - 3_590_000))
    expect(readKept()).toBeDefined()
    entries.set(draftKey, stored().replace(/"data":".{6}/, '"data":"AAAAAA'))
    expect(await createKeptCopy().open('2007-03-14')).toBeUndefined()
    await createKeptCopy().save('2007-03-14', draft('Dela Cruz', Date.now() - 3_600_000))
    dropExpiredDrafts()
    expect(stored()).toBe('')
  })
})

test('answers of a tab end after an hour, and an enlistment that waits after a day', () => {
  const second = 1_000
  const lifetimes = { tab: 3_600 * second, waiting: 86_400 * second }
  for (const [left, expected] of [
    [5 * second, 2],
    [0, 0],
  ] as const) {
    for (const place of ['tab', 'waiting'] as const) {
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

const textWith = (draft: object) =>
  JSON.stringify({ startedAt: Date.now(), idempotencyKey: 'a-key', values: {}, ...draft })

test.each([
  ['older than a day', textWith({ startedAt: Date.now() - lifetimeMs })],
  ['started after now, because the clock was set back', textWith({ startedAt: Date.now() + lifetimeMs })],
  ['without a start', textWith({ startedAt: undefined })],
  ['started at a text', textWith({ startedAt: 'now' })],
  ['with another key', textWith({ idempotencyKey: 7 })],
  ['without values', textWith({ values: null })],
  ['null', 'null'],
  ['a number', '5'],
  ['a list', '[]'],
  ['no JSON', 'lastName=Cruz'],
])('any page deletes a draft that is %s', (_case, text) => {
  for (const place of ['tab', 'waiting', 'device'] as const) saveText(place, text)
  dropExpiredDrafts()
  expect([...entries.keys(), ...tabEntries.keys()]).toEqual(['another'])
})

test("nothing is left after an enlistment, but what may be another student's", () => {
  saveText('device', JSON.stringify({ startedAt: Date.now(), salt: '', iv: '', data: '' }))
  saveDraft('tab', given, 'a-key', Date.now())
  keepWaiting(submitted, 'another-key')
  dropDrafts('a-key')
  expect(readDraft('tab')).toBeUndefined()
  expect(readKept()).toBeDefined()
  expect(readDraft('waiting')).toMatchObject({ idempotencyKey: 'another-key' })
  dropDrafts('another-key')
  expect(readDraft('waiting')).toBeUndefined()
})

test('a browser without storage causes no error', () => {
  vi.stubGlobal('localStorage', undefined)
  vi.stubGlobal('sessionStorage', undefined)
  dropDrafts('a-key')
  expect(readKept()).toBeUndefined()
  expect(saveDraft('tab', given, 'a-key', Date.now())).toBe(false)
  expect(keepWaiting(submitted, 'a-key')).toBe(false)
})
