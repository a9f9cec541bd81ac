import { Menu } from '@base-ui/react/menu'
import { clsx } from 'clsx'
import {
  ArrowDown,
  ArrowUp,
  IndentDecrease,
  IndentIncrease,
  MoveRight,
  Pencil,
  Plus,
  Save,
  Trash2,
  X,
} from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { type OrgStep, orgSteps } from '#shared/org-chart/org-moves.ts'
import { Button, IconButton } from '#web/components/button.tsx'
import { boxOf } from './arrange-chart.tsx'
import { type NodeAct, stepLabels } from './use-arrangement.ts'

interface ArrangeBarProps {
  selected: OrgNode | null
  steps: readonly OrgStep[] | null
  isChanged: boolean
  isSaving: boolean
  onAct: (act: NodeAct, id: string) => void
  onDeselect: () => void
  onSave: () => void
  onDiscard: () => void
}

const wideOnly = 'max-md:hidden'

/**
 * The bar stays in sight while there are unsaved moves; otherwise it is below the chart and covers
 * nothing.
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
        <IconButton label="Add a report" className={wideOnly} onClick={act('add')}>
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

export interface OpenMenu {
  id: string
  name: string
  anchor: HTMLElement
}

const stepIcons: Record<OrgStep, ReactNode> = {
  up: <ArrowUp aria-hidden="true" className="size-4" />,
  down: <ArrowDown aria-hidden="true" className="size-4" />,
  in: <IndentIncrease aria-hidden="true" className="size-4" />,
  out: <IndentDecrease aria-hidden="true" className="size-4" />,
}

interface NodeMenuProps {
  menu: OpenMenu | null
  steps: readonly OrgStep[] | null
  onAct: (act: NodeAct, id: string) => void
  onClose: () => void
}

/** One menu for all nodes: 500 menus would make the chart slow. */
export function NodeMenu({ menu, steps, onAct, onClose }: NodeMenuProps) {
  // The last node, while the menu fades out and returns the focus.
  const [last, setLast] = useState(menu)
  if (menu && menu !== last) setLast(menu)
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
            finalFocus={() => (last && (buttonOf(last.id) ?? boxOf(last.id))) ?? true}
            className="min-w-56 rounded-box border bg-card p-1 text-fg shadow-card outline-hidden"
          >
            {last && <Entries menu={last} steps={steps} onAct={onAct} />}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

function Entries({ menu, steps, onAct }: Pick<NodeMenuProps, 'steps' | 'onAct'> & { menu: OpenMenu }) {
  const act = (kind: NodeAct) => () => onAct(kind, menu.id)
  return (
    <>
      <Entry icon={<Pencil aria-hidden="true" className="size-4" />} onSelect={act('edit')}>
        Edit
      </Entry>
      <Entry icon={<Plus aria-hidden="true" className="size-4" />} onSelect={act('add')}>
        Add a report
      </Entry>
      {steps && (
        <>
          <Menu.Separator className="my-1 border-t" />
          {(['up', 'down', 'in', 'out'] as const).map((step) => (
            <Entry key={step} icon={stepIcons[step]} disabled={!steps.includes(step)} onSelect={act(step)}>
              {stepLabels[step]}
            </Entry>
          ))}
          <Entry icon={<MoveRight aria-hidden="true" className="size-4" />} onSelect={act('move')}>
            Move to…
          </Entry>
        </>
      )}
      <Menu.Separator className="my-1 border-t" />
      <Entry icon={<Trash2 aria-hidden="true" className="size-4" />} isDanger onSelect={act('delete')}>
        Delete
      </Entry>
    </>
  )
}

interface EntryProps {
  icon: ReactNode
  disabled?: boolean
  isDanger?: boolean
  onSelect: () => void
  children: ReactNode
}

function Entry({ icon, disabled = false, isDanger = false, onSelect, children }: EntryProps) {
  return (
    <Menu.Item
      disabled={disabled}
      onClick={onSelect}
      className={clsx(
        'flex min-h-9 w-full items-center gap-3 rounded-box px-3 text-left text-sm outline-hidden select-none max-md:min-h-11 data-disabled:text-muted data-highlighted:bg-soft',
        isDanger && 'text-danger',
      )}
    >
      {icon}
      {children}
    </Menu.Item>
  )
}

function buttonOf(id: string): HTMLElement | null {
  return boxOf(id)?.querySelector<HTMLElement>('[data-node-button="menu"]') ?? null
}
