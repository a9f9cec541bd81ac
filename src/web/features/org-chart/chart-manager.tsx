import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { orgSentences } from '#shared/org-chart/org-chart.ts'
import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { type OrgTarget, orgSteps, targetOf, targetOfStep } from '#shared/org-chart/org-moves.ts'
import {
  childrenByParent,
  descendantsOf,
  type OrgPosition,
  possibleParents,
} from '#shared/org-chart/org-tree.ts'
import { ConfirmAction } from '#web/components/confirm-action.tsx'
import { SelectField } from '#web/components/field.tsx'
import { Hint } from '#web/components/hint.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { ArrangeBar, type NodeAct, NodeMenu, type OpenMenu } from './arrange-bar.tsx'
import { ArrangeChart, type DropTarget } from './arrange-chart.tsx'
import type { OpenedForm } from './data.ts'
import type { TreeNode } from './tree-node.ts'
import { boxOf } from './tree-view.tsx'
import { type Arrangement, nameWithTitle, nodeOptions, type useExpanded } from './use-arrangement.ts'

interface ChartManagerProps {
  arrangement: Arrangement
  visible: readonly TreeNode[]
  view: 'chart' | 'list'
  open: ReturnType<typeof useExpanded>
  canArrange: boolean
  highlighted: string | null
  onHighlight: (id: string | null) => void
  onOpen: (form: OpenedForm) => void
  onDeleted: () => void
}

export function ChartManager(props: ChartManagerProps) {
  const { arrangement, view, open, canArrange, highlighted, onHighlight, ...rest } = props
  const { nodes, isChanged, isSaving } = arrangement
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [question, setQuestion] = useState<{ about: 'move' | 'delete'; id: string } | null>(null)
  const [announcement, announce] = useState('')
  const keepFocus = useRef<string | null>(null)
  const helpId = useId()
  const find = (id: string | null) => nodes.find((node) => node.id === id) ?? null

  useLayoutEffect(() => {
    // A moved box is a new element; the focus was in the old one.
    if (keepFocus.current !== null) boxOf(keepFocus.current)?.focus()
    keepFocus.current = null
  })

  // A position that was just added comes with the next reading; it may stand anywhere.
  const isThere = highlighted !== null && nodes.some(({ id }) => id === highlighted)
  const reveal = useEffectEvent(() => highlighted !== null && open.reveal(nodes, highlighted))
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another one is highlighted, and not while one works
  useEffect(() => {
    if (isThere) reveal()
  }, [highlighted, isThere])

  function move(id: string, target: OrgTarget) {
    if (isSaving) return
    const moved = arrangement.move(id, target)
    open.reveal(moved, id)
    announce(positionText(moved, id))
  }

  function act(kind: NodeAct, id: string) {
    if (kind === 'edit') rest.onOpen({ edit: id, add: null })
    else if (kind === 'add') rest.onOpen({ edit: null, add: id })
    else if (kind === 'move' || kind === 'delete') setQuestion({ about: kind, id })
    else {
      const target = targetOfStep(nodes, id, kind)
      if (target) move(id, target)
    }
  }

  const possibleOf = (id = '') => ({
    steps: canArrange ? orgSteps.filter((step) => targetOfStep(nodes, id, step) !== undefined) : null,
    canDelete: nodes.every(({ parentId }) => parentId !== id),
  })
  const selected = find(highlighted)
  const about = question && find(question.id)
  const close = () => setQuestion(null)

  return (
    <>
      <Hint id={helpId}>
        {canArrange ? (
          <>
            <span className="max-md:hidden">Drag to rearrange (or Alt + arrows), then save.</span>
            <span className="md:hidden">Tap a position, use the buttons below to move it, then save.</span>
          </>
        ) : (
          'Dashed boxes show the positions above a match. To rearrange the chart, show all departments.'
        )}
      </Hint>
      <ArrangeChart
        nodes={rest.visible}
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
        {isChanged ? announcement : ''}
      </p>
      <ArrangeBar
        selected={selected}
        possible={possibleOf(selected?.id)}
        isChanged={isChanged}
        isSaving={isSaving}
        onAct={act}
        onDeselect={() => {
          keepFocus.current = highlighted
          onHighlight(null)
        }}
        onSave={arrangement.save}
        onDiscard={arrangement.discard}
      />
      <NodeMenu menu={menu} possible={possibleOf(menu?.id)} onAct={act} onClose={() => setMenu(null)} />
      {about && question.about === 'move' && (
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
      <ConfirmAction
        title="Delete position"
        thing={question?.about === 'delete' ? about : null}
        topics={['org-chart']}
        send={({ id, version }) =>
          callApi(api['org-chart'].nodes[':id'].$delete({ param: { id }, header: ifMatch(version) }))
        }
        done={(_none, { name }) => `${name} was deleted successfully!`}
        onDone={rest.onDeleted}
        failureOf={failureOf}
        onClose={close}
      >
        {({ name, title }) => (
          <p className="wrap-anywhere">
            Are you sure you want to delete <strong>{name}</strong>
            {title !== '' && `, ${title},`} from the organizational chart? This action cannot be undone.
          </p>
        )}
      </ConfirmAction>
    </>
  )
}

/** The new position, announced after a move. */
function positionText(nodes: readonly OrgNode[], id: string): string {
  const node = nodes.find((one) => one.id === id)
  const place = targetOf(nodes, id)
  if (!node || !place) return ''
  const siblings = nodes.filter(({ parentId }) => parentId === node.parentId).length
  const parent = nodes.find((one) => one.id === node.parentId)
  return `${node.name} is now number ${place.index + 1} of ${siblings} ${parent ? `under ${parent.name.replace(/\.$/, '')}` : 'at the top level'}. Not saved yet.`
}

/** Undefined for an invalid target: the node itself and its descendants. */
export function targetOfDrop(
  nodes: readonly OrgPosition[],
  { id, overId, side }: Pick<DropTarget, 'id' | 'overId' | 'side'>,
): OrgTarget | undefined {
  const over = nodes.find((node) => node.id === overId)
  if (!over || overId === id || descendantsOf(nodes, id).has(overId)) return undefined
  const parentId = side === 'under' ? overId : over.parentId
  const siblings = (childrenByParent(nodes).get(parentId) ?? []).filter((node) => node.id !== id)
  if (side === 'under') return { parentId, index: siblings.length }
  return { parentId, index: siblings.indexOf(over) + (side === 'before' ? 0 : 1) }
}

interface MoveToModalProps {
  nodes: readonly OrgNode[]
  node: OrgNode
  onMove: (target: OrgTarget) => void
  onClose: () => void
}

function MoveToModal({ nodes, node, onMove, onClose }: MoveToModalProps) {
  const [parentId, setParentId] = useState(node.parentId)
  const siblings = (childrenByParent(nodes).get(parentId) ?? []).filter(({ id }) => id !== node.id)
  const isSameParent = parentId === node.parentId
  const [index, setIndex] = useState<number | null>(null)
  // The default place is the present one, or the last one under another parent.
  const chosen = index ?? (isSameParent ? (targetOf(nodes, node.id)?.index ?? 0) : siblings.length)

  return (
    <QuestionModal
      title={`Move ${node.name}`}
      thing={node}
      isDangerous={false}
      words={() => ({ confirm: 'Move' })}
      onConfirm={() => onMove({ parentId, index: chosen })}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <SelectField
          name="move-parent"
          label="Reports to"
          placeholder="No one (top level)"
          options={nodeOptions(possibleParents(nodes, node.id))}
          value={parentId ?? ''}
          onChange={({ target }) => {
            setParentId(target.value || null)
            setIndex(null)
          }}
        />
        <SelectField
          name="move-behind"
          label="Order"
          options={[
            { value: '0', label: 'First' },
            ...siblings.map((sibling, at) => ({
              value: String(at + 1),
              label: `After ${nameWithTitle(sibling)}`,
            })),
          ]}
          value={String(chosen)}
          onChange={({ target }) => setIndex(Number(target.value))}
        />
      </div>
    </QuestionModal>
  )
}

// The server's rules are full sentences; other errors get a prefix.
function failureOf(error: Error): string {
  const sentence = sentenceOf(error)
  const isRule = error instanceof ApiProblem && sentence === orgSentences.hasChildren
  return isRule ? sentence : `Failed to delete node: ${sentence}`
}
