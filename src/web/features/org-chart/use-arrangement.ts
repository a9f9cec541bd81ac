import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { OrgChartContent, OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { moveNode, type OrgTarget, sameArrangement } from '#shared/org-chart/org-moves.ts'
import {
  ancestorsOf,
  childrenByParent,
  flattenBranches,
  inTreeOrder,
  nestNodes,
  type OrgPosition,
} from '#shared/org-chart/org-tree.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { isConflict } from '#web/lib/api-problem.ts'
import { useAction } from '#web/lib/query.ts'
import { chartKey } from './data.ts'
import { allExpanded, firstExpanded, type TreeNode, withToggled } from './tree-node.ts'

const noNodes: readonly OrgNode[] = []

/**
 * Moves that are stored together or not at all, applied again to each newer version of the chart.
 * @param chart null while the chart wasn't read
 */
export function useArrangement(chart: OrgChartContent | null) {
  const client = useQueryClient()
  const [moves, setMoves] = useState<readonly OrgMove[]>([])

  const { nodes, lost } = useMemo(
    () => (chart ? makeMoves(chart.items, moves) : { nodes: noNodes, lost: [] }),
    [chart, moves],
  )
  const isChanged = useMemo(
    () => chart !== null && moves.length > 0 && !sameArrangement(nodes, chart.items),
    [chart, moves, nodes],
  )

  const saving = useAction({
    topics: ['org-chart'],
    mutationFn(version: string) {
      const items = nodes.map(({ id, parentId }) => ({ id, parentId }))
      return callApi(api['org-chart'].order.$put({ json: { version, items } }))
    },
    onSuccess(stored) {
      client.setQueryData(chartKey, stored)
      setMoves([])
      showToast('success', 'Organization structure saved successfully!')
    },
    // The moves are applied to the chart of now before the conflict shows.
    onError: (error) => isConflict(error) && client.refetchQueries({ queryKey: chartKey }),
  })

  return {
    nodes,
    isChanged,
    isSaving: saving.isPending,
    failure: saving.error,
    lost,
    move(id: string, target: OrgTarget): readonly OrgNode[] {
      saving.reset()
      const next = withMove(moves, nodes, id, target)
      setMoves(next)
      return chart ? makeMoves(chart.items, next).nodes : nodes
    },
    discard() {
      saving.reset()
      setMoves([])
    },
    forgetLost: () => setMoves((before) => before.filter((move) => !lost.includes(move))),
    save: () => chart && saving.run(chart.version),
  }
}

export type Arrangement = ReturnType<typeof useArrangement>

/**
 * An unsaved move. It names the neighbour instead of a number, so that it can be applied to a chart
 * that was changed meanwhile.
 */
export interface OrgMove {
  id: string
  parentId: string | null
  /** The sibling before it; null for the first place. */
  behind: string | null
}

/** Adds a move. The last of several consecutive moves of one node replaces the others. */
export function withMove(
  moves: readonly OrgMove[],
  nodes: readonly OrgPosition[],
  id: string,
  { parentId, index }: OrgTarget,
): readonly OrgMove[] {
  const siblings = (childrenByParent(nodes).get(parentId) ?? []).filter((node) => node.id !== id)
  const behind = index <= 0 ? null : (siblings[Math.min(index, siblings.length) - 1]?.id ?? null)
  const before = moves.at(-1)?.id === id ? moves.slice(0, -1) : moves
  return [...before, { id, parentId, behind }]
}

/**
 * @returns the nodes in tree order, and the moves that are impossible now: the node or parent is
 * gone, or the parent is under the node
 */
export function makeMoves<Node extends OrgPosition>(
  nodes: readonly Node[],
  moves: readonly OrgMove[],
): { nodes: readonly Node[]; lost: readonly OrgMove[] } {
  const lost: OrgMove[] = []
  let made: readonly Node[] = inTreeOrder(nodes)
  for (const move of moves) {
    const next = moveNode(made, move.id, targetAmong(made, move))
    if (next === made) lost.push(move)
    made = next
  }
  return { nodes: made, lost }
}

// Behind the neighbour, or last when the neighbour has moved away.
function targetAmong(nodes: readonly OrgPosition[], { id, parentId, behind }: OrgMove): OrgTarget {
  if (behind === null) return { parentId, index: 0 }
  const siblings = (childrenByParent(nodes).get(parentId) ?? []).filter((node) => node.id !== id)
  const at = siblings.findIndex((node) => node.id === behind)
  return { parentId, index: at === -1 ? siblings.length : at + 1 }
}

const openAtFirst = 60

const nothing: ReadonlySet<string> = new Set()

/**
 * Stores the closed nodes, so that a position which gets its first child shows it. @param
 * isFiltered a department has few positions: all are open at first
 */
export function useExpanded(nodes: readonly TreeNode[], isFiltered: boolean) {
  const parents = useMemo(() => allExpanded(nestNodes(nodes)), [nodes])
  const [closed, setClosed] = useState<ReadonlySet<string> | null>(null)
  const [closedFiltered, setClosedFiltered] = useState(nothing)
  if (closed === null && !isFiltered && nodes.length > 0) {
    setClosed(withToggled(parents, [...firstExpanded(nestNodes(nodes), openAtFirst)], false))
  }
  const closedIds = isFiltered ? closedFiltered : (closed ?? nothing)
  const set = isFiltered ? setClosedFiltered : setClosed
  const expanded = useMemo(() => withToggled(parents, [...closedIds], false), [parents, closedIds])

  return {
    expanded,
    toggle: (ids: readonly string[], isOpen: boolean) => set(withToggled(closedIds, ids, !isOpen)),
    expandAll: () => set(nothing),
    collapseAll: () => set(parents),
    reveal(places: readonly OrgPosition[], id: string) {
      const above = ancestorsOf(places, id).map((place) => place.id)
      if (above.some((each) => closedIds.has(each))) set(withToggled(closedIds, above, false))
    },
  }
}

// Indent per level of a list's choices.
const indent = '\u2003'

export function nodeOptions(nodes: readonly TreeNode[]): { value: string; label: string }[] {
  return flattenBranches(nestNodes(nodes)).map(({ node, depth }) => ({
    value: node.id,
    label: `${indent.repeat(Math.min(depth, 8))}${nameWithTitle(node)}`,
  }))
}

// Two people may have the same name.
export function nameWithTitle({ name, title }: Pick<TreeNode, 'name' | 'title'>): string {
  return title === '' ? name : `${name} (${title})`
}
