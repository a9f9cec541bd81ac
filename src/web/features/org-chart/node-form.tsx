import { useEffect, useEffectEvent } from 'react'
import { createPortal } from 'react-dom'
import type { OrgNode } from '#shared/org-chart.ts'
import { Button } from '#web/components/button.tsx'
import { FormFailure } from '#web/components/form-failure.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { comeIntoSight } from '#web/lib/come-into-sight.ts'
import { NodeConflict } from './node-conflict.tsx'
import { NodeFormFields } from './node-form-fields.tsx'
import type { NewNodeBasis } from './node-form-values.ts'
import { type NodeForm as Form, useNodeForm } from './use-node-form.ts'

interface NodeFormProps {
  /** As the position was when the form was opened; null for a new one. */
  held: OrgNode | null
  /** What a new one begins with. */
  basis: NewNodeBasis
  nodes: readonly OrgNode[]
  /** Where the buttons go. */
  foot: HTMLElement | null
  /** Told whether something would be lost by closing. */
  onDirty: (isDirty: boolean) => void
  /** Starts again from what somebody else made of it. */
  onTakeOver: (now: OrgNode) => void
  onSaved: (saved: { id: string; name: string }, isNew: boolean) => void
  onClose: () => void
}

const formId = 'org-node-form'

/** Adds or edits a position. Nothing typed is lost by a failure. */
export function NodeForm({ held, basis, nodes, foot, onDirty, onTakeOver, ...on }: NodeFormProps) {
  const form = useNodeForm({
    held,
    basis,
    onSaved(saved) {
      onDirty(false)
      on.onSaved(saved, held === null || form.isGone)
    },
  })
  const { failure, isDirty, isGone } = form
  const tell = useEffectEvent(onDirty)
  useEffect(() => tell(isDirty), [isDirty])
  useEffect(() => () => tell(false), [])

  return (
    <>
      <form
        id={formId}
        noValidate
        aria-busy={form.phase === 'sending'}
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.submit(event)}
      >
        <p aria-live="assertive" className="sr-only">
          {form.errors[0]?.message}
        </p>
        {failure?.isConflict && held ? (
          <NodeConflict
            seen={held}
            onTakeOver={onTakeOver}
            onSaveOver={({ version }) => form.saveOver(version)}
          />
        ) : (
          failure && <FormFailure message={failure.sentence || 'An error occurred'} />
        )}
        {isGone && (
          <div
            ref={comeIntoSight}
            className="scroll-my-5 flex flex-wrap items-center gap-3 rounded-box bg-warning-soft px-4 py-3 text-sm"
          >
            <p className="min-w-48 flex-1">
              Somebody deleted it while you were editing. What you typed is still here; a former photo is
              gone.
            </p>
            <Button variant="outline" size="sm" onClick={form.saveAsNew}>
              Add as a new position
            </Button>
          </div>
        )}
        <NodeFormFields form={form} held={held} nodes={nodes} />
      </form>
      {foot && createPortal(<Foot form={form} isNew={held === null} onClose={on.onClose} />, foot)}
    </>
  )
}

interface FootProps {
  form: Form
  isNew: boolean
  onClose: () => void
}

function Foot({ form: { phase, progress, values }, isNew, onClose }: FootProps) {
  const isSending = phase === 'sending'
  return (
    <>
      {isSending && values.image && (
        <div className="min-w-48 flex-1">
          <ProgressBar label="Uploading" part={progress} />
        </div>
      )}
      <Button variant="outline" size="sm" className="max-md:min-h-11" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} size="sm" className="max-md:min-h-11" aria-disabled={isSending}>
        {isSending ? 'Saving…' : isNew ? 'Add position' : 'Save changes'}
      </Button>
    </>
  )
}
