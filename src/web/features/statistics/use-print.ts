import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { StatisticsFilters } from '#shared/statistics.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'

/**
 * Prints the page. Each print is recorded: before the button's dialog opens, and when the browser's own
 * command opens it.
 *
 * @returns how to print, and when the page was last printed (an ISO instant), for the paper
 */
export function usePrint(filters: StatisticsFilters): {
  print: () => Promise<void>
  printedAt: string | null
} {
  const [printedAt, setPrintedAt] = useState<string | null>(null)
  const isRecorded = useRef(false)

  const prepare = useEffectEvent(() => {
    // Before the browser takes the picture of the page.
    flushSync(() => setPrintedAt(new Date().toISOString()))
    if (!isRecorded.current) void record(filters)
    isRecorded.current = false
  })
  useEffect(() => {
    const onPrint = () => prepare()
    window.addEventListener('beforeprint', onPrint)
    return () => window.removeEventListener('beforeprint', onPrint)
  }, [])

  return {
    printedAt,
    async print() {
      if (!(await record(filters))) return
      isRecorded.current = true
      window.print()
    },
  }
}

async function record(filters: StatisticsFilters): Promise<boolean> {
  try {
    await api.statistics.prints.$post({ json: filters })
    return true
  } catch (error) {
    showToast({ type: 'error', message: `Failed to record the print: ${sentenceOf(error)}` })
    return false
  }
}
