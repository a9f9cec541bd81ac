import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrgChartContent } from '#shared/org-chart/org-chart-response.ts'
import { addOrgNode } from '#tests/factories/org-node.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { createAuditTrail } from '#tests/setup/audit-trail.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const onlyAdmins = 'Only admins can modify the organizational chart'
const missing = 'Organization chart node not found'
const missingId = '01900000-0000-7000-8000-000000000000'

let server: TestServer
let admin: ReturnType<typeof createAdminClient>

beforeAll(async () => {
  server = await startTestServer()
  admin = createAdminClient(server, await server.signIn())
})
afterAll(() => server.close())
beforeEach(async () => {
  await sql`truncate org_nodes`.execute(server.database.db)
  await createAuditTrail(server.database).clear()
})

const add = (name: string, fields?: Parameters<typeof addOrgNode>[2]) => addOrgNode(admin, name, fields)
const ifMatch = (version: number) => ({ 'If-Match': `"${version}"` })

async function readChart(): Promise<OrgChartContent> {
  return await (await fetch(`${server.url}/api/org-chart`)).json()
}

describe('the chart', () => {
  test('is public, and empty at first', async () => {
    expect((await readChart()).items).toEqual([])
  })

  test('is a flat list, parents before their children, siblings in their order', async () => {
    const dean = await add('Dean')
    const guest = await add('Guest')
    const cwts = await add('CWTS', { parentId: dean.id })
    const rotc = await add('ROTC', { parentId: dean.id })
    const aide = await add('Aide', { parentId: cwts.id })
    const { items } = await readChart()
    expect(items.map(({ name, parentId, order }) => [name, parentId, order])).toEqual([
      ['Dean', null, 0],
      ['CWTS', dean.id, 0],
      ['Aide', cwts.id, 0],
      ['ROTC', dean.id, 1],
      ['Guest', null, 1],
    ])
    expect(items[2]).toEqual(aide)
    expect([rotc.order, guest.order]).toEqual([1, 1])
  })

  test('is answered with 304 while it is unchanged', async () => {
    await add('Dean')
    const first = await fetch(`${server.url}/api/org-chart`)
    const tag = first.headers.get('ETag') ?? ''
    const request = () => fetch(`${server.url}/api/org-chart`, { headers: { 'If-None-Match': tag } })
    expect((await request()).status).toBe(304)
    await add('Guest')
    expect((await request()).status).toBe(200)
  })

  test('has the same version of its arrangement when only a text changes', async () => {
    const dean = await add('Dean')
    const { version } = await readChart()
    await admin.call('PATCH', `/org-chart/nodes/${dean.id}`, { name: 'The Dean' }, ifMatch(1))
    expect((await readChart()).version).toBe(version)
    await add('Guest')
    expect((await readChart()).version).not.toBe(version)
  })
})

describe('a new node', () => {
  test('is the last of its siblings, also after one was deleted', async () => {
    const first = await add('First')
    await add('Second')
    await admin.call('DELETE', `/org-chart/nodes/${first.id}`, undefined, ifMatch(1))
    expect(await add('Third', { title: ' Adviser ', department: 'Staff' })).toMatchObject({
      version: 1,
      name: 'Third',
      title: 'Adviser',
      department: 'Staff',
      parentId: null,
      order: 2,
      imageUrl: null,
      image: null,
    })
  })

  test.each([
    [{}, 'name', 'Name is required'],
    [{ name: ' ' }, 'name', 'Name is required'],
    [{ name: null }, 'name', 'Name is required'],
    [{ name: '\u200b' }, 'name', 'Name is required'],
    [{ name: 5 }, 'name', 'Please send the name as text.'],
    [{ name: 'x'.repeat(121) }, 'name', 'Please shorten the name to 120 characters or fewer.'],
    [{ name: 'a\u0000b' }, 'name', 'Please remove the unusual characters from the name.'],
    [{ name: 'A', title: 'a\nb' }, 'title', 'Please remove the unusual characters from the title.'],
    [
      { name: 'A', department: 'Kitchen' },
      'department',
      'Please choose one of the departments: Administration, Faculty, Staff, or none.',
    ],
    [
      { name: 'A', parentId: missingId },
      'parentId',
      'The position it reports to is no longer in the chart. Please choose another one.',
    ],
    [
      { name: 'A', parentId: 'nobody' },
      'parentId',
      'The position it reports to is no longer in the chart. Please choose another one.',
    ],
    [{ name: 'A', order: 3 }, '', 'Unknown fields: order.'],
  ])('%j is refused', async (body, path, message) => {
    expect(await admin.refusal('POST', '/org-chart/nodes', body)).toEqual({
      status: 422,
      code: 'invalid',
      detail: message,
      errors: [{ path, message }],
    })
    expect((await readChart()).items).toEqual([])
  })

  test('is refused beyond 50 levels and 2,000 nodes', async () => {
    await sql`
      insert into org_nodes (id, name, parent_id, position, created_at, updated_at)
      select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Node ' || n,
        case when n between 2 and 50 then ('00000000-0000-7000-8000-' || lpad((n - 1)::text, 12, '0'))::uuid end,
        n, now(), now()
      from generate_series(1, 1999) n`.execute(server.database.db)
    const deepest = '00000000-0000-7000-8000-000000000050'
    const message = 'The chart can have at most 50 levels. Please choose a higher position.'
    expect(
      await admin.refusal('POST', '/org-chart/nodes', { name: 'Deep', parentId: deepest }),
    ).toMatchObject({
      detail: message,
      errors: [{ path: 'parentId', message }],
    })
    await add('The last')
    expect(await admin.refusal('POST', '/org-chart/nodes', { name: 'One more' })).toEqual({
      status: 422,
      code: 'invalid',
      detail: 'The chart can have at most 2,000 positions.',
    })
  })
})

describe('an edit', () => {
  test('changes the sent fields only, once', async () => {
    const dean = await add('Dean', { title: 'Head', department: 'Administration' })
    const response = await admin.call(
      'PATCH',
      `/org-chart/nodes/${dean.id}`,
      { name: 'Dr. Reyes' },
      ifMatch(1),
    )
    expect(response.status).toBe(200)
    expect(response.headers.get('ETag')).toBe('"2"')
    expect(await response.json()).toEqual({ ...dean, name: 'Dr. Reyes', version: 2 })
    const again = await admin.call('PATCH', `/org-chart/nodes/${dean.id}`, { name: 'Dr. Reyes' }, ifMatch(2))
    expect((await again.json()).version).toBe(2)
  })

  test('to another parent appends the node to its children; to the same one has no effect', async () => {
    const [a, b] = [await add('A'), await add('B')]
    const child = await add('Child', { parentId: a.id })
    await add('Sibling', { parentId: b.id })
    const edit = async (parentId: string | null, version: number) =>
      (await admin.call('PATCH', `/org-chart/nodes/${child.id}`, { parentId }, ifMatch(version))).json()
    expect(await edit(b.id, 1)).toMatchObject({ parentId: b.id, order: 1, version: 2 })
    expect(await edit(b.id, 2)).toMatchObject({ parentId: b.id, order: 1, version: 2 })
    expect(await edit(null, 2)).toMatchObject({ parentId: null, order: 2, version: 3 })
  })

  test('never moves a node under itself or one of its descendants', async () => {
    const a = await add('A')
    const b = await add('B', { parentId: a.id })
    const c = await add('C', { parentId: b.id })
    const sentences = {
      [a.id]: 'A position cannot report to itself. Please choose another one.',
      [b.id]: 'A position cannot report to a position below it. Please choose another one.',
      [c.id]: 'A position cannot report to a position below it. Please choose another one.',
    }
    for (const [parentId, message] of Object.entries(sentences)) {
      expect(await admin.refusal('PATCH', `/org-chart/nodes/${a.id}`, { parentId }, ifMatch(1))).toEqual({
        status: 422,
        code: 'invalid',
        detail: message,
        errors: [{ path: 'parentId', message }],
      })
    }
  })

  test('of an unknown node, or one changed since, is refused', async () => {
    const dean = await add('Dean')
    for (const id of [missingId, 'nobody']) {
      expect(await admin.refusal('PATCH', `/org-chart/nodes/${id}`, { name: 'X' }, ifMatch(1))).toEqual({
        status: 404,
        code: 'not_found',
        detail: missing,
      })
    }
    const stale = await admin.refusal('PATCH', `/org-chart/nodes/${dean.id}`, { name: 'X' }, ifMatch(9))
    expect([stale.status, stale.detail]).toEqual([
      409,
      'Someone else changed this in the meantime. Please review the change and try again.',
    ])
    const blind = await admin.refusal('PATCH', `/org-chart/nodes/${dean.id}`, { name: 'X' })
    expect([blind.status, blind.detail]).toEqual([
      422,
      'Please send the version that you saw as If-Match: "version".',
    ])
    const blank = await admin.refusal('PATCH', `/org-chart/nodes/${dean.id}`, { name: '' }, ifMatch(1))
    expect(blank.errors).toEqual([{ path: 'name', message: 'Name is required' }])
  })

  test('of one version succeeds once among concurrent ones', async () => {
    const dean = await add('Dean')
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const path = `/org-chart/nodes/${dean.id}`
        return (await admin.call('PATCH', path, { name: `Dean ${at}` }, ifMatch(1))).status
      }),
    )
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
  })
})

describe('deleting', () => {
  test('removes a node without children', async () => {
    const dean = await add('Dean')
    const aide = await add('Aide', { parentId: dean.id })
    const remove = (id: string) => admin.refusal('DELETE', `/org-chart/nodes/${id}`, undefined, ifMatch(1))
    expect(await remove(dean.id)).toEqual({
      status: 422,
      code: 'invalid',
      detail: 'Cannot delete a node with children. Please remove or reassign the children first.',
    })
    for (const { id } of [aide, dean]) {
      const response = await admin.call('DELETE', `/org-chart/nodes/${id}`, undefined, ifMatch(1))
      expect(response.status).toBe(204)
    }
    expect((await readChart()).items).toEqual([])
    expect(await remove(dean.id)).toEqual({ status: 404, code: 'not_found', detail: missing })
  })

  test('is refused for an older version', async () => {
    const dean = await add('Dean')
    const path = `/org-chart/nodes/${dean.id}`
    expect((await admin.refusal('DELETE', path, undefined, ifMatch(2))).status).toBe(409)
    expect(await admin.refusal('DELETE', path, undefined, { 'If-Match': 'any' })).toMatchObject({
      status: 422,
      detail: 'Please send the version that you saw as If-Match: "version".',
    })
    expect((await admin.call('DELETE', path)).status).toBe(204)
  })
})

test('without a session nothing is changed', async () => {
  const visitor = createAdminClient(server, '')
  const dean = await add('Dean')
  const refused = { status: 401, code: 'unauthenticated', detail: onlyAdmins }
  const path = `/org-chart/nodes/${dean.id}`
  expect(await visitor.refusal('POST', '/org-chart/nodes', { name: 'X' })).toEqual(refused)
  expect(await visitor.refusal('PATCH', path, { name: 'X' }, ifMatch(1))).toEqual(refused)
  expect(await visitor.refusal('DELETE', path, undefined, ifMatch(1))).toEqual(refused)
  expect(await visitor.refusal('PUT', '/org-chart/order', { version: '', items: [] })).toEqual(refused)
  expect((await readChart()).items).toEqual([dean])
})

test('every change is in the audit trail, unless it changes nothing', async () => {
  const dean = await add('Dean')
  const path = `/org-chart/nodes/${dean.id}`
  await admin.call('PATCH', path, { name: 'Dr. Reyes', title: 'Dean' }, ifMatch(1))
  await admin.call('PATCH', path, { name: 'Dr. Reyes' }, ifMatch(2))
  await admin.call('DELETE', path, undefined, ifMatch(2))
  const entries = await createAuditTrail(server.database).entries()
  expect(entries.map(({ action, subject, fields }) => [action, subject, fields])).toEqual([
    ['org-node-added', 'Dean', []],
    ['org-node-edited', 'Dr. Reyes', ['name', 'title']],
    ['org-node-deleted', 'Dr. Reyes', []],
  ])
})
