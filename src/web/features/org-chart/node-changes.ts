import type { OrgNode } from '#shared/org-chart.ts'

/** What differs between a position as the form saw it and as it is now, in words. */
export function changedSince(
  seen: OrgNode,
  now: OrgNode,
  nodes: readonly OrgNode[],
): { label: string; now: string }[] {
  const nameOf = (id: string | null) => nodes.find((node) => node.id === id)?.name ?? 'Nobody'
  const described: readonly { label: string; of: (node: OrgNode) => string | null; text?: string }[] = [
    { label: 'Name', of: ({ name }) => name },
    { label: 'Title', of: ({ title }) => title },
    { label: 'Department', of: ({ department }) => department },
    { label: 'Parent', of: ({ parentId }) => parentId, text: nameOf(now.parentId) },
    { label: 'Photo', of: ({ imageUrl }) => imageUrl, text: now.imageUrl ? 'Another one' : 'Removed' },
  ]
  return described
    .filter(({ of }) => of(seen) !== of(now))
    .map(({ label, of, text }) => ({ label, now: text ?? (of(now) || 'None') }))
}
