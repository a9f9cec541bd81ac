import { type APIRequestContext, expect } from '@playwright/test'
import type { OrgChartContent, OrgNode } from '#shared/org-chart/org-chart-response.ts'

/** The chart as everybody reads it. */
export async function readChart(request: APIRequestContext): Promise<OrgChartContent> {
  return await (await request.get('/api/org-chart')).json()
}

/** Starts with an empty chart: other journeys of the same product may have left theirs. */
export async function clearChart(request: APIRequestContext): Promise<void> {
  const { items } = await readChart(request)
  for (const { id, version } of items.toReversed()) {
    const headers = { 'If-Match': `"${version}"` }
    expect((await request.delete(`/api/org-chart/nodes/${id}`, { headers })).status()).toBe(204)
  }
}

/** Adds a position as another screen would. */
export async function addPosition(
  request: APIRequestContext,
  name: string,
  fields: { title?: string; department?: string; parentId?: string } = {},
): Promise<OrgNode> {
  const answer = await request.post('/api/org-chart/nodes', { data: { name, ...fields } })
  expect(answer.status()).toBe(201)
  return await answer.json()
}

/** Every name with that of its parent, from top to bottom. */
export async function arrangementOf(request: APIRequestContext): Promise<string[]> {
  const { items } = await readChart(request)
  const nameOf = new Map(items.map(({ id, name }) => [id, name]))
  return items.map(({ name, parentId }) => `${nameOf.get(parentId ?? '') ?? ''}/${name}`)
}
