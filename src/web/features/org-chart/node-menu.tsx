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
  Trash2,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { OrgStep } from '#shared/org-moves.ts'
import { boxOf } from './arrange-chart.tsx'
import { type NodeAct, stepLabels } from './node-act.ts'

/** The menu of a node that is open, beside its button. */
export interface OpenMenu {
  id: string
  name: string
  anchor: HTMLElement
}

export const stepIcons: Record<OrgStep, ReactNode> = {
  up: <ArrowUp aria-hidden="true" className="size-4" />,
  down: <ArrowDown aria-hidden="true" className="size-4" />,
  in: <IndentIncrease aria-hidden="true" className="size-4" />,
  out: <IndentDecrease aria-hidden="true" className="size-4" />,
}

interface NodeMenuProps {
  /** Null while none is open. */
  menu: OpenMenu | null
  /** The steps that lead somewhere; null where nothing can be moved. */
  steps: readonly OrgStep[] | null
  onAct: (act: NodeAct, id: string) => void
  onClose: () => void
}

/** One menu for all nodes: five hundred of their own would make the chart slow. */
export function NodeMenu({ menu, steps, onAct, onClose }: NodeMenuProps) {
  // While it fades out, and gives the focus back, it still knows whose it was.
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
            // Where the button is by now: moving a node makes its box anew.
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
        Add a position under it
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
