import { useMemo, useState } from 'react'
import { useRevalidator } from 'react-router'
import { sameArrangement } from '#shared/org-arrangement.ts'
import type { OrgChartContent, OrgNode } from '#shared/org-chart.ts'
import type { OrgTarget } from '#shared/org-moves.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { makeMoves, type OrgMove, withMove } from './arrange-moves.ts'
import { readChart } from './org-chart-data.ts'

const noNodes: readonly OrgNode[] = []

/** What saving came to. */
type Outcome = { kind: 'failed'; sentence: string } | { kind: 'overtaken' }

/**
 * The chart with the moves of this screen, which are stored together or not at all. Whatever others change
 * meanwhile, the moves are made anew on the chart of now.
 *
 * @param read the chart as it was read last; null while it wasn't read
 */
export function useArrangement(read: OrgChartContent | null) {
  const { revalidate } = useRevalidator()
  const [moves, setMoves] = useState<readonly OrgMove[]>([])
  const [newer, setNewer] = useState<{ than: OrgChartContent | null; chart: OrgChartContent } | null>(null)
  const [isSaving, setSaving] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)

  // An answer to this screen is newer than what was read before it.
  const chart = newer !== null && newer.than === read ? newer.chart : read
  const { nodes, lost } = useMemo(
    () => (chart ? makeMoves(chart.items, moves) : { nodes: noNodes, lost: [] }),
    [chart, moves],
  )
  const isChanged = useMemo(
    () => chart !== null && moves.length > 0 && !sameArrangement(nodes, chart.items),
    [chart, moves, nodes],
  )

  async function save() {
    if (chart === null || isSaving) return
    setSaving(true)
    setOutcome(null)
    try {
      const items = nodes.map(({ id, parentId }) => ({ id, parentId }))
      const stored = await callApi(api['org-chart'].order.$put({ json: { version: chart.version, items } }))
      setNewer({ than: read, chart: stored })
      setMoves([])
      showToast({ type: 'success', message: 'Organization structure saved successfully!' })
    } catch (error) {
      await explain(error)
    } finally {
      setSaving(false)
    }
  }

  async function explain(error: unknown) {
    if (!(error instanceof ApiProblem && error.problem.code === 'conflict')) {
      setOutcome({ kind: 'failed', sentence: sentenceOf(error) })
      return
    }
    try {
      setNewer({ than: read, chart: await readChart() })
      setOutcome({ kind: 'overtaken' })
    } catch (failure) {
      setOutcome({ kind: 'failed', sentence: sentenceOf(failure) })
    }
  }

  return {
    /** As it is stored. */
    chart,
    /** As it is arranged here, in tree order. */
    nodes,
    isChanged,
    isSaving,
    outcome,
    /** Moves that somebody else's change has made impossible. */
    lost,
    /** @returns the nodes after the move */
    move(id: string, target: OrgTarget): readonly OrgNode[] {
      setOutcome(null)
      const next = withMove(moves, nodes, id, target)
      setMoves(next)
      return chart ? makeMoves(chart.items, next).nodes : nodes
    },
    discard() {
      setOutcome(null)
      setMoves([])
    },
    /** Takes lost moves off the list. */
    forgetLost: () => setMoves((before) => before.filter((move) => !lost.includes(move))),
    save,
    /** Reads what this screen changed; the notice of it may be long in coming. */
    readAgain: () => void revalidate(),
  }
}

export type Arrangement = ReturnType<typeof useArrangement>
