import { vi } from 'vitest'

/** A request of a screen, as a server sees it. */
export interface Asked {
  method: string
  path: string
  /** The value of If-Match. */
  version: string | null
  /** The value of Idempotency-Key. */
  key: string | null
  /** The names of the fields and their values; a file is its name. */
  body: Record<string, unknown>
}

interface Answer {
  status?: number
  body: unknown
  /** Of an answer to `fetch`. */
  headers?: Record<string, string>
}

/** A page of HTML that a Wi-Fi answers in the place of the server, before one has signed in to it. */
export const signInOfWiFi: Answer = {
  body: '<html>',
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
}

/** @returns what is answered; null: the connection is lost */
type Server = (asked: Asked) => Answer | null | Promise<Answer | null>

/** Puts a server in the place of the network, for `fetch` and XMLHttpRequest. @returns what was asked, in order */
export function serve(server: Server): Asked[] {
  const log: Asked[] = []

  async function ask(method: string, url: string, headers: Headers, body: unknown) {
    const { pathname } = new URL(url, window.location.href)
    const [version, key] = [headers.get('If-Match'), headers.get('Idempotency-Key')]
    const asked = { method, path: pathname, version, key, body: fieldsOf(body) }
    log.push(asked)
    await Promise.resolve()
    return await server(asked)
  }

  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const answer = await ask(init.method ?? 'GET', url, new Headers(init.headers), init.body)
    if (answer === null) throw new TypeError('Failed to fetch')
    return Response.json(answer.body, { status: answer.status ?? 200, headers: answer.headers ?? {} })
  })

  class Sender extends EventTarget {
    readonly upload = new EventTarget()
    readonly #headers = new Headers()
    #method = ''
    #url = ''
    responseType = ''
    status = 0
    response: unknown = null
    open(method: string, url: string) {
      this.#method = method
      this.#url = url
    }
    setRequestHeader(name: string, value: string) {
      this.#headers.set(name, value)
    }
    send(body: unknown) {
      void ask(this.#method, this.#url, this.#headers, body).then((answer) => {
        this.status = answer === null ? 0 : (answer.status ?? 200)
        this.response = answer?.body ?? null
        this.dispatchEvent(new Event(answer === null ? 'error' : 'load'))
      })
    }
    abort() {
      this.dispatchEvent(new Event('abort'))
    }
  }
  vi.stubGlobal('XMLHttpRequest', Sender)
  return log
}

function fieldsOf(body: unknown): Record<string, unknown> {
  if (typeof body === 'string') return Object.fromEntries(Object.entries(JSON.parse(body)))
  if (!(body instanceof FormData)) return {}
  return Object.fromEntries(
    [...body].map(([name, value]) => [name, value instanceof File ? value.name : value]),
  )
}

/** As the server says it. */
export function refusal(status: number, code: string, detail: string): Answer {
  return { status, body: { title: '', status, code, detail } }
}
