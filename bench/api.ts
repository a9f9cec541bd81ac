import { adminPassword } from '#tests/setup/administrator.ts'

export type Api = ReturnType<typeof createApi>

/** Calls as the administrator; an answer that isn't a success is an error. */
export function createApi(port: number, cookie: string) {
  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const response = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
      method,
      headers: { Cookie: cookie, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response
  }

  return {
    call,

    read: async <Answer>(path: string): Promise<Answer> => (await call('GET', path)).json(),

    /** @returns what it took, in seconds */
    async post<Answer>(
      path: string,
      body: unknown,
      headers?: Record<string, string>,
    ): Promise<{ answer: Answer; took: number }> {
      const begin = performance.now()
      const answer: Answer = await (await call('POST', path, body, headers)).json()
      return { answer, took: (performance.now() - begin) / 1000 }
    },

    /** Files and many records need a password that was entered a few minutes ago. */
    proveAgain: () => call('POST', 'session/proof', { password: adminPassword }),
  }
}
