import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import type { createAdminClient } from '#tests/setup/admin-client.ts'

export async function addOrgNode(
  admin: ReturnType<typeof createAdminClient>,
  name: string,
  fields: { title?: string; department?: string; parentId?: string | null } = {},
): Promise<OrgNode> {
  const response = await admin.call('POST', '/org-chart/nodes', { name, ...fields })
  if (response.status !== 201) throw new Error(`adding ${name} failed with status ${response.status}`)
  return await response.json()
}
