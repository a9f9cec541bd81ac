import { clsx } from 'clsx'
import { useId, useMemo, useRef, useState } from 'react'
import { nestNodes } from '#shared/org-tree.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import type { ChartExcerpt } from './chart-excerpt.ts'
import { ChartToolbar } from './chart-toolbar.tsx'
import { ChartViewport, type TreeLook } from './chart-viewport.tsx'
import { allExpanded, firstExpanded, withToggled } from './tree-expansion.ts'
import { LevelLegend } from './tree-level.tsx'
import { TreeView } from './tree-view.tsx'
import { useChartPaper } from './use-chart-paper.tsx'
import { useFullScreen } from './use-full-screen.ts'
import { useWholeChart } from './use-whole-chart.ts'

/** At most so many nodes are in sight before anybody opens one. */
const firstShown = 24

/** Chosen on this visit; the next page with a chart begins with it. */
let chosenView: 'chart' | 'list' | null = null

interface ChartExplorerProps {
  chart: ChartExcerpt
  /** As the server sends it: nothing can be pressed yet. */
  isStatic: boolean
}

/** The public chart with its tools. What is open, highlighted and chosen outlives changes of the chart. */
export function ChartExplorer({ chart, isStatic }: ChartExplorerProps) {
  const { nodes, failure, retry } = useWholeChart(chart)
  const roots = useMemo(() => nestNodes(nodes), [nodes])
  const [expanded, setExpanded] = useState(() => firstExpanded(nestNodes(chart.nodes), firstShown))
  const [highlighted, setHighlighted] = useState<string | null>(null)
  const [view, setView] = useState<TreeLook>(isStatic ? 'auto' : firstView)
  const frame = useRef<HTMLDivElement>(null)
  const { isFull, isCovering, toggle: toggleFull } = useFullScreen(frame)
  const paper = useChartPaper(roots)
  const helpId = useId()

  function choose(next: 'chart' | 'list') {
    chosenView = next
    setView(next)
  }

  return (
    <div
      ref={frame}
      data-full={isFull ? '' : undefined}
      className={clsx(
        'flex flex-col gap-4',
        isFull && 'overflow-auto bg-bg p-4',
        isCovering && 'fixed inset-0 z-50',
      )}
    >
      <ChartToolbar
        view={view}
        isFull={isFull}
        isBusy={paper.isBusy}
        onView={choose}
        onExpandAll={() => setExpanded(allExpanded(roots))}
        onCollapseAll={() => setExpanded(new Set())}
        onFullScreen={toggleFull}
        onPrint={() => void paper.print(view === 'list' ? 'list' : 'chart')}
        onDownload={() => void paper.download()}
      />
      <LevelLegend />
      {paper.failure !== null && <ErrorBanner message={paper.failure} onDismiss={paper.dismiss} />}
      {failure !== null && <ErrorBanner message={failure} onRetry={retry} />}
      <ChartViewport view={view} isFitted>
        <TreeView
          label="Organizational chart"
          describedBy={isStatic ? undefined : helpId}
          roots={roots}
          expanded={expanded}
          highlighted={highlighted}
          onToggle={(ids, isOpen) => setExpanded((before) => withToggled(before, ids, isOpen))}
          onHighlight={setHighlighted}
          isStatic={isStatic}
        />
      </ChartViewport>
      {paper.sheet}
      {isStatic ? (
        <MissingNodes chart={chart} />
      ) : (
        <p id={helpId} hidden>
          {keysHelp}
        </p>
      )}
    </div>
  )
}

const keysHelp =
  'Arrow keys move between positions, open and close them. Enter highlights a position. The asterisk opens all ' +
  'beside it. With shift, arrow keys move the chart.'

/** Without scripts what is missing can't be read. */
function MissingNodes({ chart: { nodes, total } }: { chart: ChartExcerpt }) {
  if (nodes.length === total) return null
  return (
    <noscript>
      <p className="text-sm text-muted">
        These are {nodes.length} of {total} positions. The others are shown by this page’s scripts, which are
        switched off.
      </p>
    </noscript>
  )
}

/** By the width of the screen, as tree.css does it before. */
function firstView(): 'chart' | 'list' {
  return chosenView ?? (window.matchMedia('(width >= 48rem)').matches ? 'chart' : 'list')
}
