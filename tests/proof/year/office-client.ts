import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountScope } from '#shared/people/permissions.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import type { Waits } from './waits.ts'

/** In ms. What a person waits before they try again, and the most that this test does. */
const pauseMs = 300
const patienceMs = 240_000

export interface Account extends AccountScope {
  name: string
  email: string
  password: string
}

export interface Answer {
  status: number
  ok: boolean
  bytes: Buffer
  json: <Body>() => Body
}

interface ClientOptions {
  account: Account
  /** Of the processes, any number. */
  url: (index: number) => string
  /** The process that the person begins with. */
  first: number
  waits: Waits
  /** All that an account limited to components is sent. */
  look: (account: Account, path: string, text: string) => void
}

export type OfficeClient = Awaited<ReturnType<typeof createOfficeClient>>

/** The headers of a change of what was read. */
export const seen = ({ version }: { version: number }) => ({ 'If-Match': `"${version}"` })

/** One person at work: who gets no answer tries again, at another process. */
export async function createOfficeClient({ account, url, first, waits, look }: ClientOptions) {
  let place = first
  let cookie = await patiently('sign in', async () => {
    try {
      return await signInOverHttp(url(place), account.password, account.email)
    } catch {
      // A process or its database was killed, and the sign-in with it.
      place += 1
      return null
    }
  })

  /** @returns null without an answer, or with one that says to try again later */
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer | null> {
    const init = requestOf(method, body, { Cookie: cookie, ...headers })
    const answer = await fetchWhole(`${url(place)}/api${path}`, init)
    if (!answer || answer.status === 503) {
      place += 1
      return null
    }
    const text = answer.bytes.toString('utf8')
    if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    if (answer.status === 403 && text.includes('"proof_needed"')) {
      await ask('POST', '/session/proof', { password: account.password })
      return await send(method, path, body, headers)
    }
    if (account.components.length > 0) look(account, path, text)
    return answer
  }

  /** For what may be sent twice. */
  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer> {
    const kind = method === 'GET' ? 'reading' : 'changing'
    return await waits.measure(kind, () =>
      patiently(`${method} ${path}`, () => send(method, path, body, headers)),
    )
  }

  /** Pressed once: with one key, however often it is sent. */
  const press = (method: string, path: string, body?: unknown) =>
    ask(method, path, body, { 'Idempotency-Key': randomUUID() })

  async function must(method: string, path: string, answer: Answer): Promise<Answer> {
    if (answer.ok) return answer
    const text = answer.bytes.toString('utf8')
    throw new Error(`${account.name}: ${method} ${path}: ${answer.status} ${text}`)
  }

  async function read<Body>(path: string): Promise<Body> {
    return (await must('GET', path, await ask('GET', path))).json<Body>()
  }

  return {
    account,
    send,
    ask,
    read,
    async file(path: string): Promise<Buffer> {
      return (await must('GET', path, await ask('GET', path))).bytes
    },
    press,
    async act<Body>(method: string, path: string, body?: unknown): Promise<Body> {
      return (await must(method, path, await press(method, path, body))).json<Body>()
    },
    /** Without a key: looks whether it is done, does it, and looks again. */
    async ensure<Found>(
      what: string,
      find: () => Promise<Found | null>,
      act: () => Promise<Answer | null>,
    ): Promise<Found> {
      return await waits.measure('changing', () =>
        patiently(what, async () => {
          const found = await find()
          if (found !== null) return found
          const answer = await act()
          // Somebody else was faster, or it was done without an answer: the next look tells.
          if (answer && ![404, 409].includes(answer.status)) await must('ensure', what, answer)
          return answer?.ok ? await find() : null
        }),
      )
    },
    /** All pages of a list. */
    async readAll<Item>(path: string): Promise<Item[]> {
      const items: Item[] = []
      for (let page = 1; ; page++) {
        const more = path.includes('?') ? '&' : '?'
        const answer = await read<{ items: Item[]; total: number }>(`${path}${more}page=${page}&pageSize=200`)
        items.push(...answer.items)
        if (items.length >= answer.total || answer.items.length === 0) return items
      }
    },
    async changePassword(newPassword: string): Promise<void> {
      const body = { currentPassword: account.password, newPassword }
      const answer = await ask('PUT', '/session/password', body)
      await must('PUT', '/session/password', answer)
      cookie = await signInOverHttp(url(place), newPassword, account.email)
      account.password = newPassword
    },
  }
}

/** A text is a file. */
function requestOf(method: string, body: unknown, headers: Record<string, string>): RequestInit {
  const init = { method, signal: AbortSignal.timeout(120_000) }
  if (body === undefined) return { ...init, headers }
  const isFile = typeof body === 'string'
  const type = isFile ? 'application/octet-stream' : 'application/json'
  return {
    ...init,
    headers: { 'Content-Type': type, ...headers },
    body: isFile ? body : JSON.stringify(body),
  }
}

async function fetchWhole(address: string, init: RequestInit): Promise<Answer | null> {
  try {
    const response = await fetch(address, init)
    const bytes = Buffer.from(await response.arrayBuffer())
    const { status, ok } = response
    return { status, ok, bytes, json: () => JSON.parse(bytes.toString('utf8')) }
  } catch {
    // The process was killed before it answered.
    return null
  }
}

async function patiently<T>(what: string, attempt: () => Promise<T | null>): Promise<T> {
  for (const end = Date.now() + patienceMs; Date.now() < end; ) {
    const result = await attempt()
    if (result !== null) return result
    await sleep(pauseMs)
  }
  throw new Error(`${what}: no answer within ${patienceMs} ms`)
}
