import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrgChartContent, OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { addOrgNode } from '#tests/factories/org-node.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { createAuditTrail } from '#tests/setup/audit-trail.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const stale =
  'Positions were added, removed or moved in the meantime. Please check the current chart and arrange it again.'

let server: TestServer
let admin: ReturnType<typeof createAdminClient>
let dean: OrgNode
let rotc: OrgNode
let cwts: OrgNode
let aide: OrgNode

beforeAll(async () => {
  server = await startTestServer()
  admin = createAdminClient(server, await server.signIn())
})
afterAll(() => server.close())
beforeEach(async () => {
  await sql`truncate org_nodes`.execute(server.database.db)
  dean = await addOrgNode(admin, 'Dean')
  rotc = await addOrgNode(admin, 'ROTC', { parentId: dean.id })
  cwts = await addOrgNode(admin, 'CWTS', { parentId: dean.id })
  aide = await addOrgNode(admin, 'Aide', { parentId: cwts.id })
  await createAuditTrail(server.database).clear()
})

async function readChart(): Promise<OrgChartContent> {
  return await (await fetch(`${server.url}/api/org-chart`)).json()
}

const ordered = ({ items }: OrgChartContent) => items.map(({ name, order }) => `${name} ${order}`)
const positionOf = ({ id }: OrgNode, parent: OrgNode | null) => ({ id, parentId: parent?.id ?? null })

describe('an arrangement', () => {
  test('is stored at once, sent in any order of its branches, and audited', async () => {
    const { version } = await readChart()
    const items = [
      positionOf(aide, dean),
      positionOf(cwts, null),
      positionOf(rotc, cwts),
      positionOf(dean, null),
    ]
    const response = await admin.call('PUT', '/org-chart/order', { version, items })
    expect(response.status).toBe(200)
    const stored: OrgChartContent = await response.json()
    expect(ordered(stored)).toEqual(['CWTS 0', 'ROTC 0', 'Dean 1', 'Aide 0'])
    expect(await readChart()).toEqual(stored)
    // An edit of a node's texts doesn't conflict with a new order of its siblings.
    expect(stored.items.map((node) => node.version)).toEqual([2, 2, 1, 2])
    const entries = await createAuditTrail(server.database).entries()
    expect(entries.map(({ action, affected }) => [action, affected])).toEqual([['org-chart-arranged', 4]])
  })

  test('that changes nothing is not recorded', async () => {
    const { version, items } = await readChart()
    const same = items.map(({ id, parentId }) => ({ id, parentId }))
    const response = await admin.call('PUT', '/org-chart/order', { version, items: same })
    expect((await response.json()).version).toBe(version)
    expect(await createAuditTrail(server.database).entries()).toEqual([])
  })

  test('is refused when it is no tree of exactly the nodes, and nothing is changed', async () => {
    const { version } = await readChart()
    const before = ordered(await readChart())
    const other = { id: '01900000-0000-7000-8000-000000000000', parentId: null }
    const all = [
      positionOf(dean, null),
      positionOf(rotc, dean),
      positionOf(cwts, dean),
      positionOf(aide, cwts),
    ]
    const cases: [items: object[], sentence: string][] = [
      [[...all, positionOf(aide, dean)], 'A position appears in this arrangement more than once.'],
      [
        [...all.slice(0, 3), { id: aide.id, parentId: other.id }],
        'A parent in this arrangement is missing from it.',
      ],
      [[positionOf(dean, aide), ...all.slice(1)], 'In this arrangement a position is under itself.'],
      [[positionOf(dean, dean), ...all.slice(1)], 'In this arrangement a position is under itself.'],
      [all.slice(0, 3), 'This arrangement leaves out positions of the chart.'],
      [[...all.slice(0, 3), other], 'This arrangement has positions that are not in the chart.'],
      [[], 'This arrangement leaves out positions of the chart.'],
    ]
    for (const [items, message] of cases) {
      expect(await admin.refusal('PUT', '/org-chart/order', { version, items })).toEqual({
        status: 422,
        code: 'invalid',
        detail: message,
        errors: [{ path: 'items', message }],
      })
    }
    expect(ordered(await readChart())).toEqual(before)
  })

  test('based on an older version is refused', async () => {
    const { version, items } = await readChart()
    const arrangement = items.map(({ id, parentId }) => ({ id, parentId }))
    const ifMatch = { 'If-Match': '"1"' }
    const changes = [
      () => addOrgNode(admin, 'New'),
      () => admin.call('PATCH', `/org-chart/nodes/${aide.id}`, { parentId: rotc.id }, ifMatch),
      () => admin.call('DELETE', `/org-chart/nodes/${rotc.id}`, undefined, ifMatch),
    ]
    for (const change of changes) {
      await change()
      expect(await admin.refusal('PUT', '/org-chart/order', { version, items: arrangement })).toEqual({
        status: 409,
        code: 'conflict',
        detail: stale,
      })
    }
  })

  test.each([
    [{}, 'version', 'Please send the version of the arrangement that you saw.'],
    [{ version: 'x' }, 'items', 'Please send a list.'],
    [{ version: 'x', items: [{ id: 5, parentId: null }] }, 'items.0.id', 'Please send a text.'],
    [{ version: 'x', items: [], more: 1 }, '', 'Unknown fields: more.'],
  ])('%j is refused', async (body, path, message) => {
    const refusal = await admin.refusal('PUT', '/org-chart/order', body)
    expect(refusal.status).toBe(422)
    expect(refusal.errors[0]).toEqual({ path, message })
  })
})

test('of several arrangements of one version one is stored, and the others are refused', async () => {
  const { version } = await readChart()
  const statuses = await Promise.all(
    [rotc, cwts, aide, rotc, cwts, aide].map(async (first) => {
      const others = [dean, rotc, cwts, aide].filter(({ id }) => id !== first.id)
      const items = [positionOf(first, null), ...others.map((node) => positionOf(node, first))]
      return (await admin.call('PUT', '/org-chart/order', { version, items })).status
    }),
  )
  expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409, 409])
})
