import { clsx } from 'clsx'
import {
  ChevronsDownUp,
  ChevronsUpDown,
  Download,
  Expand,
  ListTree,
  Network,
  Printer,
  Shrink,
} from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from '#web/components/button.tsx'
import type { TreeLook } from './chart-viewport.tsx'

interface ChartToolbarProps {
  view: TreeLook
  isFull: boolean
  /** The image or the paper is being made. */
  isBusy: boolean
  onView: (view: 'chart' | 'list') => void
  onExpandAll: () => void
  onCollapseAll: () => void
  onFullScreen: () => void
  onPrint: () => void
  onDownload: () => void
}

/** What can be done with the whole chart. */
export function ChartToolbar(props: ChartToolbarProps) {
  const { view, isFull, isBusy } = props
  return (
    <div className="flex flex-wrap items-center gap-2 noscript:hidden">
      <fieldset
        aria-label="View"
        className="flex max-w-full min-w-0 flex-wrap overflow-hidden rounded-box border border-edge bg-card"
      >
        <ViewButton of="chart" view={view} onView={props.onView} icon={<Network />}>
          Chart
        </ViewButton>
        <ViewButton of="list" view={view} onView={props.onView} icon={<ListTree />}>
          List
        </ViewButton>
      </fieldset>
      <Tool press="expand-all" icon={<ChevronsUpDown />} onClick={props.onExpandAll}>
        Expand all
      </Tool>
      <Tool press="collapse-all" icon={<ChevronsDownUp />} onClick={props.onCollapseAll}>
        Collapse all
      </Tool>
      <Tool
        press="full-screen"
        icon={isFull ? <Shrink /> : <Expand />}
        aria-pressed={isFull}
        onClick={props.onFullScreen}
      >
        Full screen
      </Tool>
      <Tool press="print" icon={<Printer />} aria-disabled={isBusy} onClick={props.onPrint}>
        Print
      </Tool>
      <Tool press="download" icon={<Download />} aria-disabled={isBusy} onClick={props.onDownload}>
        Download image
      </Tool>
    </div>
  )
}

interface ViewButtonProps {
  of: 'chart' | 'list'
  view: TreeLook
  onView: (view: 'chart' | 'list') => void
  icon: ReactNode
  children: ReactNode
}

function ViewButton({ of, view, onView, icon, children }: ViewButtonProps) {
  return (
    <button
      type="button"
      data-press={`view ${of}`}
      aria-pressed={view === of}
      onClick={() => onView(of)}
      className={clsx(
        'flex min-h-11 items-center gap-2 px-3.5 text-sm font-semibold -outline-offset-2 [&>svg]:size-4',
        view === of ? 'bg-primary text-on-primary outline-on-primary' : 'hover:bg-soft',
      )}
    >
      {icon}
      {children}
    </button>
  )
}

/** On a narrow screen only its picture is seen. */
function Tool({
  press,
  children,
  ...rest
}: Omit<ComponentProps<typeof Button>, 'children'> & { press: string; children: string }) {
  return (
    <Button
      variant="outline"
      title={children}
      data-press={press}
      className="px-3! text-sm! [&>svg]:size-4"
      {...rest}
    >
      <span className="max-lg:sr-only">{children}</span>
    </Button>
  )
}
