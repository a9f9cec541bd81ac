import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrgChartContent, OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { addOrgNode } from '#tests/factories/org-node.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

type Admin = ReturnType<typeof createAdminClient>

let database: TestDatabase
let servers: TestServer[]
let admins: readonly [Admin, Admin]

beforeAll(async () => {
  database = await createTestDatabase()
  // Two processes' worth of connections on one database.
  const signedIn = async (server: TestServer) => createAdminClient(server, await server.signIn())
  const [one, other] = [await startTestServer({ database }), await startTestServer({ database })]
  servers = [one, other]
  admins = [await signedIn(one), await signedIn(other)]
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await database.close()
})

function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

async function brokenNodes(): Promise<{ unreached: number; clashes: number; nodes: number }> {
  const { rows } = await sql<{ unreached: number; clashes: number; nodes: number }>`
    with recursive reached as (
      select id from org_nodes where parent_id is null
      union all
      select child.id from org_nodes child join reached on child.parent_id = reached.id
    )
    select count(*)::int as nodes,
      (count(*) - (select count(*) from reached))::int as unreached,
      (count(*) - count(distinct (coalesce(parent_id::text, ''), position)))::int as clashes
    from org_nodes`.execute(database.db)
  return rows[0] ?? { unreached: -1, clashes: -1, nodes: -1 }
}

test('concurrent changes never create a cycle, an orphan, or two nodes at one position', {
  tags: ['rest'],
}, async () => {
  const [admin, otherAdmin] = admins
  const nodes: OrgNode[] = []
  // A line of eight, where every move up or down the line tempts a cycle.
  for (let at = 0; at < 8; at++) {
    nodes.push(await addOrgNode(admin, `Node ${at}`, { parentId: nodes.at(-1)?.id ?? null }))
  }
  const random = createRandom(7)
  const pick = <T>(list: readonly T[]) => list[random(list.length)]
  const statuses: number[] = []

  async function tryChange(chart: OrgChartContent, by: number): Promise<number> {
    const { call } = by % 2 === 0 ? admin : otherAdmin
    const node = pick(chart.items)
    const parentId = random(8) === 0 ? null : (pick(chart.items)?.id ?? null)
    const path = `/org-chart/nodes/${node?.id}`
    const ifMatch = { 'If-Match': `"${node?.version}"` }
    const items = chart.items.map(({ id, parentId: oldParent }) => ({
      id,
      parentId: id === node?.id ? null : oldParent,
    }))
    const changes = [
      () => call('POST', '/org-chart/nodes', { name: `Node by ${by}`, parentId }),
      () => call('DELETE', path, undefined, ifMatch),
      () => call('PUT', '/org-chart/order', { version: chart.version, items }),
    ]
    const move = () => call('PATCH', path, { parentId }, ifMatch)
    return (await (changes[random(8)] ?? move)()).status
  }

  for (let round = 0; round < 6; round++) {
    const chart: OrgChartContent = await (await admin.call('GET', '/org-chart')).json()
    statuses.push(...(await Promise.all(Array.from({ length: 40 }, (_, by) => tryChange(chart, by)))))
    expect(await brokenNodes()).toMatchObject({ unreached: 0, clashes: 0 })
  }
  // Done, refused by a rule, deleted, or changed concurrently: no other result is possible.
  const expected = [200, 201, 204, 404, 409, 422]
  expect(statuses.filter((status) => !expected.includes(status))).toEqual([])
  expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(40)
})
