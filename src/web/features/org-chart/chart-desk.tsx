import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { type OrgTarget, orgSteps, targetOfStep } from '#shared/org-moves.ts'
import { ArrangeBar } from './arrange-bar.tsx'
import { ArrangeChart, boxOf } from './arrange-chart.tsx'
import { targetOfDrop } from './arrange-drop.ts'
import { placeInWords } from './arrange-texts.ts'
import { DeleteNodeModal } from './delete-node-modal.tsx'
import type { OpenedForm } from './manager-address.ts'
import { MoveToModal } from './move-to-modal.tsx'
import type { NodeAct } from './node-act.ts'
import { NodeMenu, type OpenMenu } from './node-menu.tsx'
import type { TreeNode } from './tree-node.ts'
import type { Arrangement } from './use-arrangement.ts'
import type { useExpanded } from './use-expanded.ts'

interface ChartDeskProps {
  arrangement: Arrangement
  /** What of it is in sight. */
  shown: readonly TreeNode[]
  view: 'chart' | 'list'
  open: ReturnType<typeof useExpanded>
  /** False while only a part of the chart is in sight. */
  canArrange: boolean
  highlighted: string | null
  onHighlight: (id: string | null) => void
  onOpen: (form: OpenedForm) => void
  /** A node is gone, and its buttons with it. */
  onDeleted: () => void
}

/** The chart at work: its positions are chosen, moved, edited and deleted. */
export function ChartDesk({
  arrangement,
  view,
  open,
  canArrange,
  highlighted,
  onHighlight,
  ...rest
}: ChartDeskProps) {
  const { nodes, isChanged, isSaving } = arrangement
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [asked, setAsked] = useState<{ about: 'move' | 'delete'; id: string } | null>(null)
  const [told, setTold] = useState('')
  const keepFocus = useRef<string | null>(null)
  const helpId = useId()
  const find = (id: string | null) => nodes.find((node) => node.id === id) ?? null

  useLayoutEffect(() => {
    // A moved box is made anew, and the focus was in the old one.
    if (keepFocus.current !== null) boxOf(keepFocus.current)?.focus()
    keepFocus.current = null
  })

  // A position that was just added comes with the next reading; it may stand anywhere.
  const isThere = highlighted !== null && nodes.some(({ id }) => id === highlighted)
  const bringIntoSight = useEffectEvent(() => {
    if (highlighted === null) return
    open.reveal(nodes, highlighted)
    requestAnimationFrame(() => boxOf(highlighted)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another one is highlighted, and not while one works
  useEffect(() => {
    if (isThere) bringIntoSight()
  }, [highlighted, isThere])

  function move(id: string, target: OrgTarget) {
    if (isSaving) return
    const moved = arrangement.move(id, target)
    open.reveal(moved, id)
    setTold(placeInWords(moved, id))
  }

  function act(kind: NodeAct, id: string) {
    if (kind === 'edit') rest.onOpen({ kind, id })
    else if (kind === 'add') rest.onOpen({ kind: 'new', parentId: id })
    else if (kind === 'move' || kind === 'delete') setAsked({ about: kind, id })
    else {
      const target = targetOfStep(nodes, id, kind)
      if (target) move(id, target)
    }
  }

  const stepsOf = (id: string) =>
    canArrange ? orgSteps.filter((step) => targetOfStep(nodes, id, step) !== undefined) : null
  const selected = find(highlighted)
  const about = asked && find(asked.id)
  const close = () => setAsked(null)

  return (
    <>
      <p id={helpId} className="text-sm text-muted">
        {canArrange ? (
          <>
            <span className="max-md:hidden">
              Drag a position, or move the one in focus with Alt and the arrow keys.
            </span>
            <span className="md:hidden">Tap a position to move it by the buttons below.</span> Save when the
            chart is as it should be.
          </>
        ) : (
          'Dashed boxes only show where a match stands. To arrange the chart, show all departments.'
        )}
      </p>
      <ArrangeChart
        nodes={rest.shown}
        view={view}
        expanded={open.expanded}
        highlighted={highlighted}
        onToggle={open.toggle}
        onHighlight={onHighlight}
        canArrange={canArrange}
        onStep={(id, step) => {
          keepFocus.current = id
          act(step, id)
        }}
        targetOf={(place) => targetOfDrop(nodes, place)}
        onDrop={(id, target) => {
          move(id, target)
          onHighlight(id)
        }}
        onEdit={(id) => act('edit', id)}
        onMenu={(id, anchor) => setMenu({ id, name: find(id)?.name ?? '', anchor })}
        describedBy={helpId}
      />
      <p role="status" className="sr-only">
        {told}
      </p>
      <ArrangeBar
        selected={selected}
        steps={selected && stepsOf(selected.id)}
        isChanged={isChanged}
        isSaving={isSaving}
        onAct={act}
        onDeselect={() => {
          keepFocus.current = highlighted
          onHighlight(null)
        }}
        onSave={() => void arrangement.save()}
        onDiscard={arrangement.discard}
      />
      <NodeMenu
        menu={menu}
        steps={menu ? stepsOf(menu.id) : null}
        onAct={act}
        onClose={() => setMenu(null)}
      />
      {about && asked.about === 'move' && (
        <MoveToModal
          nodes={nodes}
          node={about}
          onClose={close}
          onMove={(target) => {
            move(about.id, target)
            close()
            // The dialog gives the focus back to a button that may have gone with the former box.
            requestAnimationFrame(() => {
              if (document.activeElement === document.body) boxOf(about.id)?.focus()
            })
          }}
        />
      )}
      {about && asked.about === 'delete' && (
        <DeleteNodeModal
          node={about}
          onClose={close}
          onFailed={arrangement.readAgain}
          onDeleted={() => {
            close()
            rest.onDeleted()
          }}
        />
      )}
    </>
  )
}
