import { sql } from 'kysely'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import type { Problem } from '#shared/problem.ts'
import type { TestServer } from './test-server.ts'

type FormFields = Record<string, string | File>

export function announcementsOf({ url }: Pick<TestServer, 'url'>, cookie: string) {
  function call(method: string, path: string, body?: FormFields | string, headers: HeadersInit = {}) {
    return fetch(`${url}/api/announcements${path}`, {
      method,
      headers: {
        ...(cookie === '' ? {} : { Cookie: cookie }),
        ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : formOf(body) }),
    })
  }

  async function done<T>(answer: Promise<Response>): Promise<T> {
    const response = await answer
    const body = await response.json()
    if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(body)}`)
    return body
  }

  return {
    call,
    add: (fields: FormFields | string) => call('POST', '', fields),
    edit: (id: string, version: number, fields: FormFields | string) =>
      call('PATCH', `/${id}`, fields, { 'If-Match': `"${version}"` }),
    added: (fields: FormFields = {}) =>
      done<ManagedAnnouncement>(call('POST', '', { title: 'Drill', content: 'At the gym.', ...fields })),
    edited: ({ id, version }: ManagedAnnouncement, fields: FormFields) =>
      done<ManagedAnnouncement>(call('PATCH', `/${id}`, fields, { 'If-Match': `"${version}"` })),
    read: <T>(path: string) => done<T>(call('GET', path)),
    /** @param version omitted: deletes any version */
    delete: (id: string, version?: number) =>
      call('DELETE', `/${id}`, undefined, version === undefined ? {} : { 'If-Match': `"${version}"` }),
    restore: (id: string) => call('POST', `/${id}/restore`),
  }
}

/** Until none of the deleted ones can be restored. */
export async function passUndo({ database, sweep }: Pick<TestServer, 'database' | 'sweep'>) {
  await sql`update announcements set deleted_at = deleted_at - interval '10 minutes'`.execute(database.db)
  await sweep()
}

export async function refusalOf(answer: Promise<Response>) {
  const response = await answer
  const { detail, errors }: Problem = await response.json()
  return { status: response.status, detail, ...(errors ? { errors } : {}) }
}

function formOf(fields: FormFields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}
