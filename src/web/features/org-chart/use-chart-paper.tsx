import { type ReactNode, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import type { OrgBranch } from '#shared/org-tree.ts'
import { problemSentences } from '#shared/problem.ts'
import { saveFile } from '#web/lib/save-download.ts'
import type { TreeNode } from './tree-node.ts'

const title = 'Organizational chart'
const fileName = 'organizational-chart.png'
/** Browsers tell the end of printing while they may still be reading the page; time for that, in milliseconds. */
const clearMs = 1_000
const lostSentence =
  'We could not reach the server. Please check your internet connection and reload the page.'

/** A browser doesn't ask again for a script that it could not have, until the page is loaded anew. */
function loadExport() {
  return import('./chart-export.tsx').catch((cause) => {
    throw new Error(lostSentence, { cause })
  })
}

/** The chart on paper and as an image. What draws it is fetched with the first press. */
export function useChartPaper(roots: readonly OrgBranch<TreeNode>[]) {
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [sheet, setSheet] = useState<ReactNode>(null)

  async function run(what: string, work: () => Promise<void>) {
    if (isBusy) return
    setIsBusy(true)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      // A drawing needs nothing of the server but its scripts and photos.
      setFailure(`Failed to ${what}: ${error instanceof Error ? error.message : problemSentences.internal}`)
    } finally {
      setIsBusy(false)
    }
  }

  return {
    isBusy,
    failure,
    dismiss: () => setFailure(null),
    /** To be rendered: what goes on the paper while it is printed. */
    sheet,
    download: () =>
      run('download the chart', async () => {
        const { drawImage } = await loadExport()
        saveFile(await drawImage(title, roots), fileName)
      }),
    /** @param view as boxes on one sheet, or as an outline on as many as it needs */
    print: (view: 'chart' | 'list') =>
      run('print the chart', async () => {
        const { makeSheet } = await loadExport()
        const made = await makeSheet(title, roots, view)
        const clear = () => setTimeout(() => setSheet(null), clearMs)
        window.addEventListener('afterprint', clear, { once: true })
        flushSync(() => setSheet(createPortal(made, document.body)))
        window.print()
      }),
  }
}
