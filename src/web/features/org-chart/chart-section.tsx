import { clsx } from 'clsx'
import { ChevronsDownUp, ChevronsUpDown, Expand, ListTree, Network, Printer, Shrink } from 'lucide-react'
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useRevalidator } from 'react-router'
import { nestNodes, type OrgBranch } from '#shared/org-chart/org-tree.ts'
import { problemSentences } from '#shared/problem.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Hint } from '#web/components/hint.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { failureText } from '#web/lib/api-problem.ts'
import { useLiveTopics } from '#web/lib/live.ts'
import type { Section } from '#web/lib/section.ts'
import { useThrottled } from '#web/lib/timers.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { ChartViewport, type TreeClassNames } from './chart-viewport.tsx'
import { allExpanded, type ChartExcerpt, firstExpanded, type TreeNode, withToggled } from './tree-node.ts'
import { LevelLegend, TreeView } from './tree-view.tsx'

export interface ChartSectionProps {
  chart: Section<ChartExcerpt>
  isStatic?: boolean
}

export function ChartSection({ chart, isStatic = false }: ChartSectionProps) {
  const { revalidate } = useRevalidator()
  const t = useTranslation()
  // The last chart, while a later reading of it fails.
  const [lastChart, setLastChart] = useState(chart.data)
  if (chart.data !== null && chart.data !== lastChart) setLastChart(chart.data)
  return (
    <section aria-labelledby="organization" className="page-width py-10 md:py-16">
      <h1 id="organization" className="text-3xl font-bold tracking-tight md:text-4xl">
        {t('Organizational chart')}
      </h1>
      {lastChart?.total !== 0 && (
        <p className="mt-2 max-w-2xl text-lg text-muted">
          {t('Meet the NSTP team. Select a person to highlight them.')}
        </p>
      )}
      <div className="mt-8 flex flex-col gap-4">
        {chart.failure !== null && <ErrorBanner message={chart.failure} onRetry={() => void revalidate()} />}
        {lastChart && lastChart.total > 0 && <ChartExplorer chart={lastChart} isStatic={isStatic} />}
        {lastChart?.total === 0 && (
          <p className="text-lg text-muted">{t('No organizational chart data available')}</p>
        )}
      </div>
    </section>
  )
}

const initialList = 24

const views = [
  { of: 'chart', label: 'Chart', Icon: Network },
  { of: 'list', label: 'List', Icon: ListTree },
] as const

// Chosen on this visit, for the next page with a chart.
let chosenView: 'chart' | 'list' | null = null

function ChartExplorer({ chart, isStatic }: { chart: ChartExcerpt; isStatic: boolean }) {
  const t = useTranslation()
  const { nodes, failure, retry } = useWholeChart(chart)
  const roots = useMemo(() => nestNodes(nodes), [nodes])
  const [expanded, setExpanded] = useState(() => firstExpanded(nestNodes(chart.nodes), initialList))
  const [highlighted, setHighlighted] = useState<string | null>(null)
  const [view, setView] = useState<TreeClassNames>(isStatic ? 'auto' : firstView)
  const frame = useRef<HTMLDivElement>(null)
  const { isFull, isCovering, toggle: toggleFull } = useFullScreen(frame)
  const paper = useChartPaper(roots)
  const helpId = useId()

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
      <div className="flex flex-wrap items-center gap-2 noscript:hidden">
        <fieldset
          aria-label={t('View')}
          className="flex max-w-full min-w-0 flex-wrap overflow-hidden rounded-box border border-edge bg-card"
        >
          {views.map(({ of, label, Icon }) => (
            <button
              key={of}
              type="button"
              data-press={`view ${of}`}
              aria-pressed={view === of}
              onClick={() => {
                chosenView = of
                setView(of)
              }}
              className={clsx(
                'flex min-h-11 items-center gap-2 px-3.5 text-sm font-semibold -outline-offset-2',
                view === of ? 'bg-primary text-on-primary outline-on-primary' : 'hover:bg-soft',
              )}
            >
              <Icon className="size-4" />
              {t(label)}
            </button>
          ))}
        </fieldset>
        <Tool press="expand-all" icon={ChevronsUpDown} onClick={() => setExpanded(allExpanded(roots))}>
          Expand all
        </Tool>
        <Tool press="collapse-all" icon={ChevronsDownUp} onClick={() => setExpanded(new Set())}>
          Collapse all
        </Tool>
        <Tool press="full-screen" icon={isFull ? Shrink : Expand} aria-pressed={isFull} onClick={toggleFull}>
          Full screen
        </Tool>
        <Tool
          press="print"
          icon={Printer}
          aria-disabled={paper.isBusy}
          onClick={() => void paper.print(view === 'list' ? 'list' : 'chart')}
        >
          Print
        </Tool>
      </div>
      <LevelLegend />
      {paper.failure !== null && <ErrorBanner message={paper.failure} onDismiss={paper.dismiss} />}
      {failure !== null && <ErrorBanner message={failure} onRetry={retry} />}
      <ChartViewport view={view} highlighted={highlighted}>
        <TreeView
          label={t('Organizational chart')}
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
        nodes.length < chart.total && (
          <noscript>
            <Hint>
              {t(
                `Showing ${nodes.length} of ${chart.total} positions. Turn on JavaScript to see the others.`,
              )}
            </Hint>
          </noscript>
        )
      ) : (
        <p id={helpId} hidden>
          {t(keysHelp)}
        </p>
      )}
    </div>
  )
}

const keysHelp =
  'Use the arrow keys to move between positions and to open or close them. Enter highlights a position. The ' +
  'asterisk (*) opens all positions beside it. Shift and the arrow keys move the chart.'

/** The screen's width decides, as tree.css does before scripts run. */
function firstView(): 'chart' | 'list' {
  return chosenView ?? (window.matchMedia('(width >= 48rem)').matches ? 'chart' : 'list')
}

/** Only the top levels until the rest was read. */
function useWholeChart(excerpt: ChartExcerpt) {
  const isWhole = excerpt.nodes.length === excerpt.total
  const [nodes, setNodes] = useState<readonly TreeNode[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  const read = useThrottled(async () => {
    try {
      const { items } = await callApi(api['org-chart'].$get())
      setNodes(items)
      setFailure(null)
    } catch (error) {
      setFailure(failureText('Failed to load organizational chart', error))
    }
  })
  useLiveTopics(['org-chart'], () => isWhole || read())
  // The rest is read at the start, and also if the chart has grown.
  useEffect(() => {
    if (!isWhole) read()
  }, [isWhole, read])

  return {
    nodes: (isWhole ? null : nodes) ?? excerpt.nodes,
    failure: isWhole ? null : failure,
    retry: read,
  }
}

const title = 'Organizational chart'
// Browsers report the end of printing while they may still be reading the page. In ms.
const clearMs = 1_000
const connectionLost =
  'We could not reach the server. Please check your internet connection and reload the page.'

// A browser doesn't request a module again after a failed load, until the page is reloaded.
function loadPaper() {
  return import('./chart-paper.tsx').catch((cause) => {
    throw new Error(connectionLost, { cause })
  })
}

/** The code for paper is loaded with the first press. */
function useChartPaper(roots: readonly OrgBranch<TreeNode>[]) {
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [sheet, setSheet] = useState<ReactNode>(null)

  async function print(view: 'chart' | 'list') {
    if (isBusy) return
    setIsBusy(true)
    setFailure(null)
    try {
      const { makeSheet, readySheet } = await loadPaper()
      // Laid out before it is measured.
      flushSync(() => setSheet(makeSheet(title, roots, view)))
      await readySheet()
      const clear = () => setTimeout(() => setSheet(null), clearMs)
      window.addEventListener('afterprint', clear, { once: true })
      window.print()
    } catch (error) {
      // A sheet needs nothing of the server but its scripts and photos.
      setFailure(
        `Failed to print the chart: ${error instanceof Error ? error.message : problemSentences.internal}`,
      )
    } finally {
      setIsBusy(false)
    }
  }

  return { isBusy, failure, dismiss: () => setFailure(null), sheet, print }
}

// 'window': the element covers the window where the Fullscreen API is missing.
type FullScreen = 'off' | 'screen' | 'window'

function useFullScreen(element: RefObject<HTMLElement | null>) {
  const [state, setState] = useState<FullScreen>('off')

  useEffect(() => {
    const onChange = () => {
      const isOn = document.fullscreenElement !== null && document.fullscreenElement === element.current
      setState((before) => (isOn ? 'screen' : before === 'screen' ? 'off' : before))
    }
    document.addEventListener('fullscreenchange', onChange)
    return () => document.removeEventListener('fullscreenchange', onChange)
  }, [element])

  useEffect(() => {
    if (state !== 'window' || element.current === null) return
    const showRest = hideRest(element.current)
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setState('off')
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      showRest()
    }
  }, [state, element])

  async function enter() {
    try {
      // Telephones of one maker have no full screen for anything but videos.
      if (element.current?.requestFullscreen) await element.current.requestFullscreen()
      else setState('window')
    } catch {
      // Refused, as in a frame of another page.
      setState('window')
    }
  }

  return {
    isFull: state !== 'off',
    isCovering: state === 'window',
    toggle() {
      if (state === 'off') void enter()
      else if (state === 'screen') void document.exitFullscreen()
      else setState('off')
    },
  }
}

/** Makes everything but the element inert and stops the page's scrolling. @returns the cleanup */
function hideRest(element: HTMLElement): () => void {
  const hidden: HTMLElement[] = []
  for (let inner: HTMLElement = element; inner.parentElement; inner = inner.parentElement) {
    for (const other of inner.parentElement.children) {
      if (other === inner || !(other instanceof HTMLElement) || other.inert) continue
      other.inert = true
      hidden.push(other)
    }
  }
  const { overflow } = document.documentElement.style
  document.documentElement.style.overflow = 'hidden'
  return () => {
    for (const other of hidden) other.inert = false
    document.documentElement.style.overflow = overflow
  }
}

function Tool(props: Omit<ComponentProps<typeof Button>, 'children'> & { press: string; children: string }) {
  const { press, children, ...rest } = props
  const t = useTranslation()
  return (
    <Button variant="outline" title={t(children)} data-press={press} className="px-3! text-sm!" {...rest}>
      <span className="max-lg:sr-only">{t(children)}</span>
    </Button>
  )
}
