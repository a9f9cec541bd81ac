import type { Queryable } from '#server/database/schema.ts'
import type { ImportDetails, ImportRow, ImportRowPage } from '#shared/imports/import-response.ts'
import type { ImportField, UpdateKey } from '#shared/imports/imports.ts'
import type { Problem } from '#shared/problem.ts'
import { createAuditTrail } from './audit-trail.ts'
import { startTestServer, type TestServer } from './test-server.ts'

// In ms.
const timeoutMs = 60_000

export type ImportSetup = Awaited<ReturnType<typeof openImportSetup>>

// On a day in November 2026.
export async function openImportSetup() {
  const server = await startTestServer({ now: new Date('2026-11-20T02:00:00Z') })
  const { db } = server.database
  const trail = createAuditTrail(server.database)
  return {
    server,
    imports: importsOf(server, await server.signIn()),
    students: () => db.selectFrom('students').selectAll().orderBy('lastName').execute(),
    trail,
    async clear() {
      for (const table of ['students', 'importRows', 'imports'] as const) {
        await db.deleteFrom(table).execute()
      }
      await trail.clear()
    },
    close: server.close,
  }
}

/** As a process that stopped in the middle of an account's check leaves it. */
export async function storeCheckOf(db: Queryable, id: string, account: { id: string; email: string }) {
  const { id: adminId, email: name } = account
  await db
    .updateTable('imports')
    .set({
      state: 'checking',
      mapping: { columns: {}, defaults: {}, dateOrder: 'month-first' },
      actor: { adminId, name, clientAddress: '', userAgent: '', requestId: '' },
    })
    .where('id', '=', id)
    .execute()
}

export function importsOf({ url }: Pick<TestServer, 'url'>, cookie: string) {
  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const isFile = isBytes(body) || typeof body === 'string'
    return fetch(`${url}/api/imports${path}`, {
      method,
      headers: {
        Cookie: cookie,
        'Content-Type': isFile ? 'application/octet-stream' : 'application/json',
      },
      ...(body === undefined ? {} : { body: isFile ? new Blob([body]) : JSON.stringify(body) }),
    })
  }

  async function done(response: Response): Promise<ImportDetails> {
    const body = await response.json()
    if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(body)}`)
    return body
  }

  const api = {
    call,
    async problem(method: string, path: string, body?: unknown): Promise<Problem> {
      const response = await call(method, path, body)
      if (response.ok) throw new Error(`${method} ${path} was not refused`)
      return response.json()
    },
    read: async (id: string) => done(await call('GET', `/${id}`)),
    upload: async (file: Uint8Array<ArrayBuffer> | string, fileName = 'students.csv', ofList = '') =>
      done(await call('POST', `?fileName=${encodeURIComponent(fileName)}${ofList}`, file)),
    async check(
      { id, columns, purpose }: ImportDetails,
      changes: {
        columns?: Record<string, ImportField | null>
        defaults?: Partial<Record<ImportField, string>>
        dateOrder?: string
        updateBy?: UpdateKey
      } = {},
    ): Promise<ImportDetails> {
      const guessed = Object.fromEntries(columns.map(({ guess }, index) => [index, guess]))
      await done(
        await call('PUT', `/${id}/mapping`, {
          ...changes,
          columns: { ...guessed, ...changes.columns },
          ...(changes.updateBy || purpose !== 'students' ? {} : { consent: true }),
        }),
      )
      return api.wait(id)
    },
    async wait(id: string): Promise<ImportDetails> {
      for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
        const details = await api.read(id)
        if (!details.progress) return details
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error('the work did not end')
    },
    async run(id: string, reason = ''): Promise<ImportDetails> {
      await done(await call('POST', `/${id}/run`, { reason }))
      return api.wait(id)
    },
    async rows(id: string, query = ''): Promise<ImportRowPage> {
      return (await call('GET', `/${id}/rows${query}`)).json()
    },
    async changeRow(id: string, number: number, change: unknown): Promise<ImportRow> {
      return (await call('PATCH', `/${id}/rows/${number}`, change)).json()
    },
    undo: async (id: string, evenChanged = false) => done(await call('POST', `/${id}/undo`, { evenChanged })),
    async refused(id: string): Promise<Buffer<ArrayBuffer>> {
      return Buffer.from(await (await call('GET', `/${id}/refused.xlsx`)).arrayBuffer())
    },
  }
  return api
}

function isBytes(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array && body.buffer instanceof ArrayBuffer
}
