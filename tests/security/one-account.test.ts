// @module-tag rest
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { AccountScope } from '#shared/people/permissions.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const paths = [
  '/students',
  '/students?search=cruz&sort=-name',
  '/dashboard',
  '/statistics',
  '/statistics?period=last-7-days',
]

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await storeStudent(server.database, { nstpComponent: 'CWTS' })
})
afterAll(() => server.close())

/** The statements that read students and their counts. */
async function statementsOf(path: string, scope: AccountScope): Promise<string[]> {
  const client = await createStaffClient(server, scope)
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  const answer = await client.call('GET', path)
  expect(answer.status).toBe(200)
  const texts = asked.mock.calls.map(([query]: unknown[]) =>
    typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : String(query),
  )
  asked.mockRestore()
  return texts.filter((text) => /\bstudent(s|_counts|_search)\b/.test(text))
}

const condition = /nstp_component (= (any\(|\$)|is |in )/

test.each(paths)(
  'an account of all components reads %s by statements without a condition of them',
  async (path) => {
    const all = await statementsOf(path, { role: 'administrator', components: [] })
    expect(all.length).toBeGreaterThan(0)
    expect(all.filter((text) => condition.test(text))).toEqual([])
    expect(await statementsOf(path, { role: 'coordinator', components: [] })).toEqual(all)
    // The condition would be seen.
    const limited = await statementsOf(path, { role: 'coordinator', components: ['CWTS', 'LTS'] })
    expect(limited.filter((text) => condition.test(text))).not.toEqual([])
  },
)
