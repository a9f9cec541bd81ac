import type { TestServer } from './test-server.ts'

/** Calls of a signed-in administrator; with an empty cookie, of an anonymous client. */
export function createAdminClient(server: Pick<TestServer, 'url'>, cookie: string) {
  function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return fetch(`${server.url}/api${path}`, {
      method,
      headers: {
        ...(cookie === '' ? {} : { Cookie: cookie }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  return {
    call,
    async refusal(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
      const response = await call(method, path, body, headers)
      const { detail, errors, code } = await response.json()
      return { status: response.status, code, detail, ...(errors ? { errors } : {}) }
    },
  }
}
