import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Network, Plus } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { departments } from '#shared/org-chart/org-chart.ts'
import type { OrgChartContent, OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { ancestorsOf } from '#shared/org-chart/org-tree.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { useDeferredSessionEnd } from '#web/components/deferred-session-end.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { UnsavedGuard } from '#web/components/unsaved-prompt.tsx'
import { failureText, isConflict } from '#web/lib/api-problem.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { useNarrowScreen } from '#web/lib/media-query.ts'
import { ChartManager } from './chart-manager.tsx'
import {
  type ChartAddress,
  chartAddress,
  chartKey,
  isThisTab,
  type OpenedForm,
  openedOf,
  readChart,
} from './data.ts'
import { NodeEditor } from './node-form.tsx'
import type { TreeNode } from './tree-node.ts'
import { type Arrangement, useArrangement, useExpanded } from './use-arrangement.ts'

/** Product 20. The filters are in the address. */
export function OrgChartTab() {
  const query = useQuery({
    queryKey: chartKey,
    meta: { topics: ['settings'] },
    queryFn: ({ signal }) => readChart(signal),
  })
  return (
    <TabFrame query={query} failure="Failed to load organizational chart">
      <OrgChartScreen query={query} />
    </TabFrame>
  )
}

const departmentChoices = [
  { value: 'all', label: 'All Departments' },
  ...departments.map((department) => ({ value: department, label: department })),
] as const
const viewChoices = [
  { value: 'chart', label: 'Chart view' },
  { value: 'list', label: 'List view' },
] as const

function OrgChartScreen({ query }: { query: Pick<UseQueryResult<OrgChartContent>, 'data' | 'error'> }) {
  const chart = query.data ?? null
  const navigate = useNavigate()
  const address = chartAddress.read(useLocation().search)
  const { department } = address
  const { edit, add: under } = address
  const opened = useMemo(() => openedOf({ edit, add: under }), [edit, under])
  const isNarrow = useNarrowScreen()
  const view = address.view ?? (isNarrow ? 'list' : 'chart')
  const arrangement = useArrangement(chart)
  const { nodes, isChanged } = arrangement
  const visible = useMemo(() => nodesOfDepartment(nodes, department), [nodes, department])
  const open = useExpanded(visible, department !== null)
  const [highlighted, setHighlighted] = useState<string | null>(null)
  const title = useRef<HTMLHeadingElement>(null)

  useDeferredSessionEnd(isChanged)
  const form = useFormAddress(opened !== null)
  const openForm = (next: OpenedForm) => form.open(chartAddress.to({ ...address, ...next }))
  const closeForm = () => form.close(chartAddress.to({ ...address, edit: null, add: null }))
  const add = () => openForm({ edit: null, add: '' })

  function show(changes: Partial<ChartAddress>) {
    void navigate(chartAddress.to({ ...address, ...changes }), { preventScrollReset: true })
  }

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 ref={title} tabIndex={-1} className="text-2xl font-bold tracking-tight outline-hidden">
          Organization Chart
        </h1>
        <Button size="sm" icon={Plus} disabled={chart === null} onClick={add}>
          Add position
        </Button>
      </div>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <div className="max-w-full overflow-x-auto">
          <ChoiceButtons
            legend="Department"
            choices={departmentChoices}
            selected={department ?? 'all'}
            onSelect={(value) => show({ department: value === 'all' ? null : value })}
          />
        </div>
        <ChoiceButtons
          legend="View"
          choices={viewChoices}
          selected={view}
          onSelect={(value) => show({ view: value })}
        />
        <div className="flex flex-wrap gap-2">
          <SmallButton onClick={open.expandAll}>Expand all</SmallButton>
          <SmallButton onClick={open.collapseAll}>Collapse all</SmallButton>
        </div>
      </div>
      <ArrangeNotices arrangement={arrangement} />
      <Loaded query={query} what="the organizational chart" lines={5} className="h-14">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              icon={Network}
              title="No organizational chart data available"
              action={<Button onClick={add}>Add the first position</Button>}
            />
          ) : visible.length === 0 ? (
            <EmptyState
              icon={Network}
              title={`No positions in the ${department} department at this time.`}
              action={<SmallButton onClick={() => show({ department: null })}>All Departments</SmallButton>}
            />
          ) : (
            <ChartManager
              arrangement={arrangement}
              visible={visible}
              view={view}
              open={open}
              canArrange={department === null}
              highlighted={highlighted}
              onHighlight={setHighlighted}
              onOpen={openForm}
              // After the dialog gave the focus back to a button that goes.
              onDeleted={() => requestAnimationFrame(() => title.current?.focus())}
            />
          )
        }
      </Loaded>
      <NodeEditor
        opened={opened}
        nodes={chart?.items ?? null}
        department={department ?? ''}
        hasMoves={isChanged}
        onClose={closeForm}
        onSaved={(name, id, isNew) => {
          showToast('success', `${name} ${isNew ? 'added' : 'updated'} successfully!`)
          setHighlighted(id)
          closeForm()
        }}
      />
      {/* An open form has its own guard; React Router allows one. */}
      {opened === null && <UnsavedGuard isUnsaved={isChanged} staysOpen={isThisTab} />}
    </div>
  )
}

/** A department's positions with their ancestors, which show their place. @param department null for all */
export function nodesOfDepartment(
  nodes: readonly OrgNode[],
  department: ChartAddress['department'],
): readonly TreeNode[] {
  if (department === null) return nodes
  const matching = new Set(nodes.filter((node) => node.department === department))
  const visible = new Set([...matching].flatMap((node) => [node, ...ancestorsOf(nodes, node.id)]))
  return nodes
    .filter((node) => visible.has(node))
    .map((node) => (matching.has(node) ? node : { ...node, isContext: true }))
}

interface ArrangeNoticesProps {
  arrangement: Pick<Arrangement, 'failure' | 'lost' | 'forgetLost'>
}

function ArrangeNotices({ arrangement }: ArrangeNoticesProps) {
  const { failure, lost, forgetLost } = arrangement
  return (
    <>
      {failure && !isConflict(failure) && (
        <ErrorBanner message={failureText('Failed to save organization structure', failure)} />
      )}
      {isConflict(failure) && (
        <div role="alert" className="rounded-box border border-warning bg-warning-soft px-4 py-3 text-sm">
          <p className="font-semibold text-warning">
            Failed to save organization structure: the chart was changed by someone else in the meantime.
          </p>
          <p className="mt-1">
            Your moves were applied to the current chart but are not saved yet. Please check it and save
            again.
          </p>
        </div>
      )}
      {lost.length > 0 && (
        <div
          role="status"
          className="flex flex-wrap items-center gap-3 rounded-box border border-warning bg-warning-soft px-4 py-3 text-sm"
        >
          <p className="min-w-[min(12rem,100%)] flex-1">
            {lost.length === 1 ? 'One of your moves is' : `${lost.length} of your moves are`} no longer
            possible after the other change. The rest were applied.
          </p>
          <SmallButton onClick={forgetLost}>OK</SmallButton>
        </div>
      )}
    </>
  )
}
