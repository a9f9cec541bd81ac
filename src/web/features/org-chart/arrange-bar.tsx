import { clsx } from 'clsx'
import { MoveRight, Pencil, Plus, Save, Trash2, X } from 'lucide-react'
import { useRef } from 'react'
import type { OrgNode } from '#shared/org-chart.ts'
import { type OrgStep, orgSteps } from '#shared/org-moves.ts'
import { Button, IconButton } from '#web/components/button.tsx'
import { type NodeAct, stepLabels } from './node-act.ts'
import { stepIcons } from './node-menu.tsx'

interface ArrangeBarProps {
  /** The highlighted position. */
  selected: OrgNode | null
  /** The steps that lead somewhere; null where nothing can be moved. */
  steps: readonly OrgStep[] | null
  isChanged: boolean
  isSaving: boolean
  onAct: (act: NodeAct, id: string) => void
  onDeselect: () => void
  onSave: () => void
  onDiscard: () => void
}

/** On a phone the position's own menu has these. */
const wideOnly = 'max-md:hidden'

/**
 * What can be done with the highlighted position, and with the whole arrangement. It stays in sight while there is
 * something to do; else the button stands below the chart and covers nothing.
 */
export function ArrangeBar({ selected, isChanged, isSaving, onSave, onDiscard, ...of }: ArrangeBarProps) {
  const save = useRef<HTMLButtonElement>(null)
  return (
    <div
      className={clsx(
        '-mx-1 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-box border px-3 py-2',
        selected || isChanged ? 'sticky bottom-0 z-20 border-edge bg-card shadow-card' : 'border-transparent',
      )}
    >
      {selected && <SelectedTools node={selected} {...of} />}
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
        <p className="text-sm text-muted">{isChanged ? 'Unsaved moves' : ''}</p>
        {isChanged && (
          <Button
            variant="outline"
            size="sm"
            className="max-md:min-h-11"
            onClick={() => {
              // This button goes, and the focus with it.
              save.current?.focus()
              onDiscard()
            }}
          >
            Discard
          </Button>
        )}
        <Button
          ref={save}
          size="sm"
          className="max-md:min-h-11"
          variant={isChanged ? 'primary' : 'outline'}
          icon={<Save aria-hidden="true" className="size-4" />}
          aria-disabled={isSaving}
          onClick={onSave}
        >
          {isSaving ? 'Saving…' : 'Save organization'}
        </Button>
      </div>
    </div>
  )
}

interface SelectedToolsProps extends Pick<ArrangeBarProps, 'steps' | 'onAct' | 'onDeselect'> {
  node: OrgNode
}

function SelectedTools({ node, steps, onAct, onDeselect }: SelectedToolsProps) {
  const act = (kind: NodeAct) => () => onAct(kind, node.id)
  return (
    <fieldset
      aria-label={`Selected: ${node.name}`}
      className="flex min-w-0 items-center gap-2 max-md:w-full [&_button]:max-md:size-11"
    >
      <p className="max-w-44 min-w-0 truncate text-sm font-semibold max-md:sr-only">{node.name}</p>
      <div className="flex items-center max-md:w-full max-md:justify-between">
        {steps &&
          orgSteps.map((step) => (
            // Not `disabled`: at the end of a row of presses the focus would be gone.
            <IconButton
              key={step}
              label={stepLabels[step]}
              aria-disabled={!steps.includes(step)}
              className="aria-disabled:opacity-40"
              onClick={() => steps.includes(step) && act(step)()}
            >
              {stepIcons[step]}
            </IconButton>
          ))}
        {steps && (
          <IconButton label="Move to…" onClick={act('move')}>
            <MoveRight aria-hidden="true" className="size-4" />
          </IconButton>
        )}
        <IconButton label="Edit" className={wideOnly} onClick={act('edit')}>
          <Pencil aria-hidden="true" className="size-4" />
        </IconButton>
        <IconButton label="Add a position under it" className={wideOnly} onClick={act('add')}>
          <Plus aria-hidden="true" className="size-4" />
        </IconButton>
        <IconButton label="Delete" className={wideOnly} onClick={act('delete')}>
          <Trash2 aria-hidden="true" className="size-4" />
        </IconButton>
        <IconButton label="Deselect" onClick={onDeselect}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      </div>
    </fieldset>
  )
}
