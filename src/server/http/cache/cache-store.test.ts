import { beforeEach, describe, expect, test } from 'vitest'
import { createWarmStore, type WarmStore } from './cache-store.ts'
import { type KeptAnswer, prepareAnswer } from './cached-answer.ts'

const day = 86_400_000

let store: WarmStore
let clock: number
let midnight: number
let isCurrent: boolean

beforeEach(() => {
  clock = Date.UTC(2026, 10, 20, 4)
  midnight = clock + day
  isCurrent = true
  store = createWarmStore({ isCurrent: () => isCurrent, nextInstant: () => midnight, now: () => clock })
})

function answer(text = 'kept', bytes = 0): Promise<KeptAnswer> {
  const response = new Response(text + ' '.repeat(bytes))
  return prepareAnswer({ response, route: '/', nonce: undefined })
}

function slowMaking() {
  let finish: (made: KeptAnswer | null) => void = () => undefined
  const made = new Promise<KeptAnswer | null>((resolve) => {
    finish = resolve
  })
  return { make: () => made, finish: (kept: KeptAnswer | null) => finish(kept) }
}

test('an answer is made once, however many ask while it is made and after', async () => {
  let times = 0
  const make = async () => {
    times += 1
    return await answer()
  }
  await Promise.all(Array.from({ length: 1_000 }, () => store.share('/', make)))
  await store.share('/', make)
  expect(times).toBe(1)
  expect(store.find('/')?.identity.bytes.toString()).toBe('kept')
})

describe('nothing stale is given', () => {
  test('once something has changed', async () => {
    await store.share('/', () => answer())
    store.forget()
    expect(store.find('/')).toBeUndefined()
  })

  test('nor kept when it was begun before the change and ended after', async () => {
    const before = slowMaking()
    const asked = store.share('/', before.make)
    store.forget()
    before.finish(await answer('old'))
    expect((await asked)?.identity.bytes.toString()).toBe('old')
    expect(store.find('/')).toBeUndefined()
  })

  test('nor to who asks after the change, while the old one is still being made', async () => {
    const before = slowMaking()
    const old = store.share('/', before.make)
    store.forget()
    const fresh = await store.share('/', () => answer('new'))
    expect(fresh?.identity.bytes.toString()).toBe('new')
    before.finish(await answer('old'))
    await old
    expect(store.find('/')?.identity.bytes.toString()).toBe('new')
  })

  test('at midnight, also when it was being made then', async () => {
    midnight = clock + 10
    await store.share('/', () => answer())
    clock += 9
    expect(store.find('/')).toBeDefined()
    clock += 1
    expect(store.find('/')).toBeUndefined()

    midnight = clock + 10
    const slow = slowMaking()
    const asked = store.share('/', slow.make)
    clock += 10
    midnight += day
    expect((await store.share('/', () => answer('of today')))?.identity.bytes.toString()).toBe('of today')
    slow.finish(await answer('of yesterday'))
    await asked
    expect(store.find('/')).toBeUndefined()
  })

  test('while changes made elsewhere would not be heard of', async () => {
    await store.share('/', () => answer())
    isCurrent = false
    expect(store.find('/')).toBeUndefined()
    expect(await store.share('/', () => answer())).toBeNull()
    isCurrent = true
    expect(store.find('/')).toBeDefined()
  })

  test('for longer than a minute, whatever was heard', async () => {
    await store.share('/', () => answer())
    clock += 60_000
    expect(store.find('/')).toBeUndefined()
  })
})

test('what may not be kept is made for each who asks', async () => {
  expect(await store.share('/', async () => null)).toBeNull()
  expect(store.find('/')).toBeUndefined()
})

describe('memory is bounded', () => {
  test('by number: the one that was not asked for longest goes', async () => {
    for (let index = 0; index < 1_000; index++) await store.share(`/${index}`, () => answer())
    store.find('/0')
    await store.share('/1000', () => answer())
    expect([store.find('/0'), store.find('/1'), store.find('/1000')].map(Boolean)).toEqual([
      true,
      false,
      true,
    ])
  })

  test('by bytes', async () => {
    for (let index = 0; index < 50; index++) await store.share(`/${index}`, () => answer('x', 1024 * 1024))
    const kept = Array.from({ length: 50 }, (_, index) => store.find(`/${index}`)).filter(Boolean)
    expect(kept.length).toBeGreaterThan(40)
    expect(kept.length).toBeLessThan(49)
  })
})
