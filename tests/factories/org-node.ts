import type { OrgNode } from '#shared/org-chart/org-chart.ts'
import type { createAdminClient } from '#tests/setup/admin-client.ts'

/** Adds a position over the API, and gives it as the API answers it. */
export async function addOrgNode(
  admin: ReturnType<typeof createAdminClient>,
  name: string,
  fields: { title?: string; department?: string; parentId?: string | null } = {},
): Promise<OrgNode> {
  const response = await admin.call('POST', '/org-chart/nodes', { name, ...fields })
  if (response.status !== 201) throw new Error(`adding ${name} failed with status ${response.status}`)
  return await response.json()
}
