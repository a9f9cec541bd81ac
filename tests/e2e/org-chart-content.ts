import { type APIRequestContext, type Page, request } from '@playwright/test'
import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { expect, nameOrigin } from './journey.ts'

/** A position with those under it. */
export interface Position {
  name: string
  title?: string
  department?: string
  photo?: Buffer
  under?: readonly Position[]
}

/** The coordinator's hands on the chart, past the screen. */
export async function chartManager(baseURL: string | undefined) {
  const api = await request.newContext(baseURL === undefined ? {} : { baseURL })
  nameOrigin(api)
  const answer = await api.post('/api/session', { data: { email: adminEmail, password: adminPassword } })
  expect(answer.status()).toBe(200)

  async function nodes(): Promise<OrgNode[]> {
    const { items } = await (await api.get('/api/org-chart')).json()
    return items
  }

  async function add(positions: readonly Position[], parentId?: string): Promise<void> {
    for (const position of positions) await add(position.under ?? [], await addOne(api, position, parentId))
  }

  return {
    /** Makes this the whole chart. */
    async setUp(...roots: Position[]): Promise<void> {
      for (const node of (await nodes()).toReversed()) await remove(api, node)
      await add(roots)
    },
    /** Adds a position under the one of that name. */
    async addUnder(name: string, position: Position): Promise<void> {
      await add([position], (await nodes()).find((node) => node.name === name)?.id)
    },
    async rename(name: string, next: string): Promise<void> {
      const node = (await nodes()).find((each) => each.name === name)
      const edited = await api.patch(`/api/org-chart/nodes/${node?.id}`, {
        headers: { 'If-Match': `"${node?.version}"` },
        data: { name: next },
      })
      expect(edited.status()).toBe(200)
    },
    close: () => api.dispose(),
  }
}

async function addOne(
  api: APIRequestContext,
  { name, title = '', department = '', photo }: Position,
  parentId: string | undefined,
): Promise<string> {
  const added = await api.post('/api/org-chart/nodes', {
    multipart: {
      name,
      title,
      department,
      ...(parentId === undefined ? {} : { parentId }),
      ...(photo === undefined ? {} : { image: { name: 'photo.png', mimeType: 'image/png', buffer: photo } }),
    },
  })
  expect(added.status()).toBe(201)
  const { id } = await added.json()
  return id
}

async function remove(api: APIRequestContext, { id, version }: OrgNode): Promise<void> {
  const gone = await api.delete(`/api/org-chart/nodes/${id}`, { headers: { 'If-Match': `"${version}"` } })
  expect(gone.status()).toBe(204)
}

/** Opens the page of the chart, and waits until it is alive. */
export async function openChart(page: Page) {
  await page.goto('/organization')
  const section = page.getByRole('region', { name: 'Organizational chart' })
  // At once: the page's scripts may put another element in its place meanwhile.
  await section.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
  const tree = section.getByRole('tree')
  await expect(tree).toBeVisible()
  return { section, tree, item: (name: string) => tree.getByRole('treeitem', { name }) }
}
