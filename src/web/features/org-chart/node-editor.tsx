import { useState } from 'react'
import { type Department, type OrgNode, orgSentences } from '#shared/org-chart.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { isSameForm, type OpenedForm } from './manager-address.ts'
import { NodeForm } from './node-form.tsx'

interface NodeEditorProps {
  /** Which form is open, as in the address; null for none. */
  opened: OpenedForm | null
  /** The chart as it is now; null while it is being read. */
  nodes: readonly OrgNode[] | null
  /** Of a new position, until another one is chosen: the one that is filtered by. */
  department: Department
  onDirty: (isDirty: boolean) => void
  onSaved: (saved: { id: string; name: string }, isNew: boolean) => void
  onClose: () => void
}

/** The modal with the form of a position. */
export function NodeEditor({ opened, nodes, department, onDirty, onSaved, onClose }: NodeEditorProps) {
  const { form, startFrom } = useOpenedForm(opened, nodes)
  // The form knows what its buttons can do; they stand in the modal's foot.
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  const { opened: shown, held } = form
  return (
    <Modal
      open={opened !== null}
      onClose={onClose}
      title={shown?.kind === 'edit' ? 'Edit position' : 'Add position'}
      footer={<div ref={setFoot} className="contents" />}
    >
      {nodes === null ? (
        <FormSkeleton />
      ) : shown?.kind === 'edit' && !held ? (
        <ErrorBanner message={orgSentences.missing} />
      ) : (
        <NodeForm
          key={form.turn}
          held={held}
          basis={{ parentId: shown?.kind === 'new' ? shown.parentId : null, department }}
          nodes={nodes}
          foot={foot}
          onDirty={onDirty}
          onTakeOver={startFrom}
          onSaved={onSaved}
          onClose={onClose}
        />
      )}
    </Modal>
  )
}

interface FormState {
  opened: OpenedForm | null
  /** As the position was when the form was opened: a later version is met when the form is saved. */
  held: OrgNode | null
  /** Counts the forms. */
  turn: number
  isOpen: boolean
}

/** What the form began with. While the modal fades out it still shows what it showed. */
function useOpenedForm(opened: OpenedForm | null, nodes: readonly OrgNode[] | null) {
  const find = () => (opened?.kind === 'edit' && nodes?.find((node) => node.id === opened.id)) || null
  const [form, setForm] = useState<FormState>(() => ({
    opened,
    held: find(),
    turn: 0,
    isOpen: opened !== null,
  }))
  const start = (held: OrgNode | null) => setForm({ opened, held, turn: form.turn + 1, isOpen: true })

  if (opened === null && form.isOpen) setForm({ ...form, isOpen: false })
  else if (opened !== null) {
    const found = form.held === null ? find() : null
    if (!form.isOpen || !isSameForm(opened, form.opened)) start(find())
    else if (found) start(found)
  }
  return { form, startFrom: start }
}

function FormSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">Loading the position</span>
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
      <Skeleton className="h-24" />
    </div>
  )
}
