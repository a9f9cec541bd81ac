import { cleanup, screen, waitFor } from '@testing-library/react'
import { indexedDB } from 'fake-indexeddb'
import { afterEach, expect, test, vi } from 'vitest'
import { rollMessages } from '#shared/attendance/calls.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { countKeptCalls } from '#web/features/attendance/kept-calls.ts'
import { RollScreen } from '#web/features/attendance/roll-screen.tsx'
import { AccountProvider, accountOf } from '#web/lib/account.ts'
import { openScreen } from './open-screen.tsx'
import { refusal, serve, signInOfWiFi } from './stub-server.ts'

// happy-dom has none.
Object.assign(globalThis, { indexedDB })

const idOf = (end: string) => `0198f4b2-0000-7000-8000-0000000000${end}`
const [cruz, reyes] = [idOf('c1'), idOf('c2')]
const alpha = { id: idOf('a1'), component: 'CWTS', level: 1, label: 'Alpha' } as const
const names = { middleName: '', extensionName: '', course: 'BSCS', studentId: '26-0001', firstName: 'ANA' }
const students = [
  { id: idOf('51'), lastName: 'ABAD', ...names },
  { id: idOf('52'), lastName: 'BLAS', ...names },
]
const days = [
  {
    ...{ id: idOf('d1'), heldOn: calendarDateOf(new Date(), 'Asia/Manila'), title: '', startsAt: '' },
    ...{ isMakeUp: false, isClosed: false, isToday: true },
  },
]

type State = 'cut' | 'open' | 'refusing' | 'Wi-Fi'

/** Opens the roll of an account on the same phone. `kept.state` is that of the network. */
function open(account: string, kept: { state: State }, serverTime = new Date()) {
  const headers = { Date: serverTime.toUTCString() }
  const log = serve(({ method, path }) => {
    if (method === 'POST') {
      if (kept.state === 'cut') return null
      if (kept.state === 'Wi-Fi') return signInOfWiFi
      if (kept.state === 'refusing') return refusal(404, 'not_found', rollMessages.section)
      return { body: { count: 1, left: [] } }
    }
    if (path === '/api/roll') return { body: { items: [alpha], seesPhoneNumbers: false }, headers }
    return { body: { section: alpha, days, students, calls: [], leftOut: 0 }, headers }
  })
  const value = accountOf({ id: account, role: 'facilitator', components: [], classes: [] })
  const { user } = openScreen(
    <AccountProvider value={value}>
      <RollScreen />
    </AccountProvider>,
    '/roll',
  )
  const posts = () => log.filter(({ method }) => method === 'POST').map(({ body }) => body)
  return { posts, user }
}

const row = (name: RegExp) => screen.findByRole('button', { name })

/** The page is killed: nothing of it is left but what the phone keeps. */
const kill = cleanup

afterEach(async () => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  await new Promise((resolve) => indexedDB.deleteDatabase('nstp-roll').addEventListener('success', resolve))
})

/** Calls Abad absent without a network, until the phone has it. */
async function callOffline() {
  const page = open(cruz, { state: 'cut' })
  await page.user.click(await row(/ABAD/))
  await screen.findByText(/^No network. Calls wait on this phone, and are sent when it is back. 1 waiting$/)
  await waitFor(async () => expect(await countKeptCalls(cruz)).toBe(1))
  return page
}

test('a call outlives the page, is shown by the next one, and is sent under its id', async () => {
  const before = await callOffline()
  const [sent] = before.posts()
  kill()
  const { posts } = open(cruz, { state: 'open' })
  await row(/ABAD.*absent/)
  await screen.findByText('1 sent')
  expect(posts()).toEqual([sent])
  expect(sent).toMatchObject({ account: cruz, calls: [{ state: 'absent', studentId: idOf('51') }] })
  await waitFor(async () => expect(await countKeptCalls(cruz)).toBe(0))
})

test('a call that replaces one is kept alone, and counts go on while the network is away', async () => {
  const { user } = await callOffline()
  await user.click(await row(/ABAD.*absent/))
  await user.click(await row(/BLAS/))
  await screen.findByText(/2 waiting$/)
  await waitFor(async () => expect(await countKeptCalls(cruz)).toBe(2))
  kill()
  open(cruz, { state: 'cut' })
  await row(/ABAD.*late/)
  await row(/BLAS.*absent/)
})

test('waiting calls are sent at once when the browser says that the network is back', async () => {
  const kept: { state: State } = { state: 'cut' }
  const { user, posts } = open(cruz, kept)
  await user.click(await row(/ABAD/))
  await screen.findByText(/^No network.* 1 waiting$/)
  kept.state = 'open'
  window.dispatchEvent(new Event('online'))
  await screen.findByText('1 sent')
  const [first, second] = posts()
  expect(second).toEqual(first)
})

test('a Wi-Fi that answers with its own page has taken no call', async () => {
  const kept: { state: State } = { state: 'Wi-Fi' }
  const { user } = open(cruz, kept)
  await user.click(await row(/ABAD/))
  await screen.findByText(/^No network.* 1 waiting$/)
  expect(await countKeptCalls(cruz)).toBe(1)
  kept.state = 'open'
  window.dispatchEvent(new Event('online'))
  await screen.findByText('1 sent')
})

test('a call has the time of the server at the last contact, where the clock of the phone is wrong', async () => {
  const serverTime = new Date('2026-09-12T08:00:00Z')
  const { user, posts } = open(cruz, { state: 'open' }, serverTime)
  await user.click(await row(/ABAD/))
  await screen.findByText('1 sent')
  const [call] = JSON.parse(JSON.stringify(posts()[0]?.calls))
  const seconds = (Date.parse(call.calledAt) - serverTime.getTime()) / 1_000
  expect(seconds).toBeGreaterThanOrEqual(0)
  expect(seconds).toBeLessThan(60)
})

test('a phone whose clock is a year behind calls the roll of today', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 365 * 86_400_000 })
  const { user } = open(cruz, { state: 'open' })
  await user.click(await row(/ABAD/))
  await row(/ABAD.*absent/)
  await user.click(await row(/^All present$/))
  await row(/BLAS.*present/)
})

test('another account on the phone neither sees nor sends them', async () => {
  await callOffline()
  kill()
  const other = open(reyes, { state: 'open' })
  await row(/ABAD.*open/)
  await other.user.click(await row(/BLAS/))
  await screen.findByText('1 sent')
  expect(other.posts()).toHaveLength(1)
  expect(other.posts()[0]).toMatchObject({ account: reyes, calls: [{ studentId: idOf('52') }] })
  expect(await countKeptCalls(cruz)).toBe(1)
})

test('a refused call stays on the phone with its sentence until it is discarded', async () => {
  await callOffline()
  kill()
  open(cruz, { state: 'refusing' })
  await screen.findByText(/^1 call of Alpha \(CWTS, .+ not saved: This section isn’t one of yours/)
  kill()
  const { user } = open(cruz, { state: 'refusing' })
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  await row(/ABAD.*open/)
  await waitFor(async () => expect(await countKeptCalls(cruz)).toBe(0))
})

test('a browser that keeps nothing says so, and the page asks before it is left', async () => {
  vi.stubGlobal('indexedDB', {
    ...{ deleteDatabase: indexedDB.deleteDatabase.bind(indexedDB) },
    open() {
      throw new DOMException('', 'SecurityError')
    },
  })
  const { user } = open(cruz, { state: 'cut' })
  await user.click(await row(/ABAD/))
  await screen.findByText(/This browser keeps nothing: please leave this page open/)
  const leaving = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(leaving)
  expect(leaving.defaultPrevented).toBe(true)
})

/** Puts a stub in the place of `open` of IndexedDB, for its next call alone. */
function stubOpen(open: () => unknown) {
  const stub = vi.spyOn(indexedDB, 'open').mockImplementationOnce(open as typeof indexedDB.open)
  return () => stub.mockRestore()
}

test('a call that the phone refused to keep is kept with the next one', async () => {
  const { user } = await callOffline()
  const restore = stubOpen(() => {
    throw new DOMException('Connection to Indexed Database server lost', 'UnknownError')
  })
  await user.click(await row(/BLAS/))
  await screen.findByText(/This browser keeps nothing.* 2 waiting$/)
  restore()
  await user.click(await row(/ABAD.*absent/))
  await screen.findByText(/^No network. Calls wait on this phone.* 2 waiting$/)
  kill()
  open(cruz, { state: 'cut' })
  await row(/ABAD.*late/)
  await row(/BLAS.*absent/)
})

test('the roll works with a network where the browser refuses its cache', async () => {
  const refuse = () => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'))
  vi.stubGlobal('caches', { open: refuse, delete: refuse })
  vi.stubGlobal('navigator', Object.create(navigator, { serviceWorker: { value: { register: refuse } } }))
  const { user } = open(cruz, { state: 'open' })
  await user.click(await row(/ABAD/))
  await screen.findByText('1 sent')
  await screen.findByText(/^This page opens with a network only/)
})
