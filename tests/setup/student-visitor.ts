import { sha256 } from '#server/lib/digest.ts'
import type { TestServer } from './test-server.ts'

type Server = Pick<TestServer, 'url' | 'database'>
type Student = { id: string; reference: string; dateOfBirth: string }

/** A student's browser at /my, which keeps its cookies. */
export function createStudentVisitor({ url, database }: Server, headers: Record<string, string> = {}) {
  const cookies = new Map<string, string>()

  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...headers,
        origin: url,
        ...(cookie && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }

  return {
    cookies,
    call,
    step: async () => (await (await call('GET', '/my/session')).json()).step,
    /** The first step. */
    enter: ({ reference, dateOfBirth }: Omit<Student, 'id'>) =>
      call('POST', '/my/session', { reference, dateOfBirth }),
    /** The second step, by a slip that is made for it. */
    async open({ id, reference }: Omit<Student, 'dateOfBirth'>): Promise<Response> {
      const slip = { slipHash: sha256('ABCD2345WXYZ'), slipMadeAt: new Date() }
      await database.db
        .insertInto('studentKeys')
        .values({ studentId: id, ...slip })
        .onConflict((conflict) => conflict.column('studentId').doUpdateSet(slip))
        .execute()
      return await call('POST', '/my/session/slip', { reference, code: 'abcd-2345 wxyz' })
    },
  }
}
