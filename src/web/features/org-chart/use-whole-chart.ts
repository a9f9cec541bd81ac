import { useEffect, useEffectEvent, useState } from 'react'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useLiveTopics } from '#web/lib/live.ts'
import type { ChartExcerpt } from './chart-excerpt.ts'
import type { TreeNode } from './tree-node.ts'

interface WholeChart {
  /** The top of it until the rest was read. */
  nodes: readonly TreeNode[]
  /** Why the rest couldn't be read. */
  failure: string | null
  retry: () => void
}

/** The whole chart, where the page carries only its top. */
export function useWholeChart(excerpt: ChartExcerpt): WholeChart {
  const isWhole = excerpt.nodes.length === excerpt.total
  const [nodes, setNodes] = useState<readonly TreeNode[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [reading, setReading] = useState(0)

  const readAgain = () => setReading((count) => count + 1)
  useLiveTopics(['org-chart'], readAgain)

  const read = useEffectEvent(async (signal: AbortSignal) => {
    try {
      const { items } = await callApi(api['org-chart'].$get(undefined, { init: { signal } }))
      if (signal.aborted) return
      setNodes(items)
      setFailure(null)
    } catch (error) {
      if (!signal.aborted) setFailure(`Failed to load organizational chart: ${sentenceOf(error)}`)
    }
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new number asks for another reading
  useEffect(() => {
    if (isWhole) return
    const leaving = new AbortController()
    void read(leaving.signal)
    return () => leaving.abort()
  }, [isWhole, reading])

  return isWhole
    ? { nodes: excerpt.nodes, failure: null, retry: readAgain }
    : { nodes: nodes ?? excerpt.nodes, failure, retry: readAgain }
}
