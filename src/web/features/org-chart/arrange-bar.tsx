import { Menu } from '@base-ui/react/menu'
import { clsx } from 'clsx'
import {
  ArrowDown,
  ArrowUp,
  IndentDecrease,
  IndentIncrease,
  type LucideIcon,
  MoveRight,
  Pencil,
  Plus,
  Save,
  Trash2,
  X,
} from 'lucide-react'
import { useRef } from 'react'
import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { type OrgStep, orgSteps } from '#shared/org-chart/org-moves.ts'
import { Button, IconButton, SmallButton } from '#web/components/button.tsx'
import { Hint } from '#web/components/hint.tsx'
import { useLastShown } from '#web/components/modal.tsx'
import { boxOf } from './tree-view.tsx'

export type NodeAct = OrgStep | 'move' | 'edit' | 'add' | 'delete'

const acts: Record<NodeAct, { label: string; Icon: LucideIcon }> = {
  up: { label: 'Move up', Icon: ArrowUp },
  down: { label: 'Move down', Icon: ArrowDown },
  in: { label: 'Move under previous', Icon: IndentIncrease },
  out: { label: 'Move out one level', Icon: IndentDecrease },
  move: { label: 'Move to…', Icon: MoveRight },
  edit: { label: 'Edit', Icon: Pencil },
  add: { label: 'Add a report', Icon: Plus },
  delete: { label: 'Delete', Icon: Trash2 },
}
const moves = [...orgSteps, 'move'] as const
const changes = ['edit', 'add', 'delete'] as const

interface Possible {
  /** Null while positions can't be moved. */
  steps: readonly OrgStep[] | null
  /** False while it has reports. */
  canDelete: boolean
}

function isImpossible(act: NodeAct, { steps, canDelete }: Possible): boolean {
  if (act === 'delete') return !canDelete
  return orgSteps.some((step) => step === act && !steps?.includes(step))
}

interface ArrangeBarProps {
  selected: OrgNode | null
  possible: Possible
  isChanged: boolean
  isSaving: boolean
  onAct: (act: NodeAct, id: string) => void
  onDeselect: () => void
  onSave: () => void
  onDiscard: () => void
}

/** The bar stays in sight while there are unsaved moves; otherwise it is below the chart and covers nothing. */
export function ArrangeBar({ selected, possible, isChanged, isSaving, onAct, ...on }: ArrangeBarProps) {
  const save = useRef<HTMLButtonElement>(null)
  return (
    <div
      className={clsx(
        '-mx-1 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-box border px-3 py-2',
        selected || isChanged ? 'sticky bottom-0 z-20 border-edge bg-card shadow-card' : 'border-transparent',
      )}
    >
      {selected && (
        <fieldset
          aria-label={`Selected: ${selected.name}`}
          className="flex min-w-0 items-center gap-2 max-md:w-full [&_button]:max-md:size-11"
        >
          <p className="max-w-44 min-w-0 truncate text-sm font-semibold max-md:sr-only">{selected.name}</p>
          <div className="flex items-center max-md:w-full max-md:justify-between">
            {[...(possible.steps ? moves : []), ...changes].map((act) => {
              const { label, Icon } = acts[act]
              const isOff = isImpossible(act, possible)
              return (
                // Not `disabled`: at the end of a row of presses the focus would be gone.
                <IconButton
                  key={act}
                  label={label}
                  aria-disabled={isOff}
                  className={clsx(
                    'aria-disabled:opacity-40',
                    changes.some((one) => one === act) && 'max-md:hidden',
                  )}
                  onClick={() => !isOff && onAct(act, selected.id)}
                  icon={Icon}
                />
              )
            })}
            <IconButton label="Deselect" onClick={on.onDeselect} icon={X} />
          </div>
        </fieldset>
      )}
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
        <Hint>{isChanged ? 'Unsaved moves' : ''}</Hint>
        {isChanged && (
          <SmallButton
            onClick={() => {
              // This button goes, and the focus with it.
              save.current?.focus()
              on.onDiscard()
            }}
          >
            Discard
          </SmallButton>
        )}
        <Button
          ref={save}
          size="sm"
          variant={isChanged ? 'primary' : 'outline'}
          icon={Save}
          className="wrap-anywhere"
          aria-disabled={isSaving}
          onClick={on.onSave}
        >
          {isSaving ? 'Saving…' : 'Save organization'}
        </Button>
      </div>
    </div>
  )
}

export interface OpenMenu {
  id: string
  name: string
  anchor: HTMLElement
}

interface NodeMenuProps {
  menu: OpenMenu | null
  possible: Possible
  onAct: (act: NodeAct, id: string) => void
  onClose: () => void
}

/** One menu for all nodes: 500 menus would make the chart slow. */
export function NodeMenu({ menu, possible, onAct, onClose }: NodeMenuProps) {
  const { last } = useLastShown(menu)
  const groups: NodeAct[][] = [['edit', 'add'], [...(possible.steps ? moves : [])], ['delete']]
  return (
    <Menu.Root open={menu !== null} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Menu.Portal>
        <Menu.Positioner
          anchor={last?.anchor ?? null}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 outline-hidden"
        >
          <Menu.Popup
            aria-label={last ? `Actions for ${last.name}` : 'Actions'}
            // The current button: moving a node creates a new box.
            finalFocus={() => {
              const box = last && boxOf(last.id)
              return box?.querySelector<HTMLElement>('[data-node-button="menu"]') ?? box ?? true
            }}
            className="min-w-56 divide-y rounded-box border bg-card text-fg shadow-card outline-hidden"
          >
            {groups
              .filter((group) => group.length > 0)
              .map((group) => (
                <Menu.Group key={group[0]} className="p-1">
                  {group.map((act) => {
                    const { label, Icon } = acts[act]
                    return (
                      <Menu.Item
                        key={act}
                        disabled={isImpossible(act, possible)}
                        onClick={() => last && onAct(act, last.id)}
                        className={clsx(
                          'flex min-h-9 w-full items-center gap-3 rounded-box px-3 text-left text-sm outline-hidden select-none max-md:min-h-11 data-disabled:text-muted data-highlighted:bg-soft',
                          act === 'delete' && 'not-data-disabled:text-danger',
                        )}
                      >
                        <Icon className="size-4" />
                        {label}
                      </Menu.Item>
                    )
                  })}
                </Menu.Group>
              ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
