import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import * as z from 'zod/mini'
import { imageLimits } from '#shared/files/images.ts'
import { type Department, departments, orgSentences } from '#shared/org-chart/org-chart.ts'
import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { newOrgNodeSchema } from '#shared/org-chart/org-chart-schema.ts'
import { possibleParents } from '#shared/org-chart/org-tree.ts'
import type { FieldError } from '#shared/problem.ts'
import { Button } from '#web/components/button.tsx'
import { ConflictPanel } from '#web/components/conflict-panel.tsx'
import { useDeferredSessionEnd } from '#web/components/deferred-session-end.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { ImageField } from '#web/components/file-field.tsx'
import { FormFailure } from '#web/components/form-failure.tsx'
import { Modal } from '#web/components/modal.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { type RecordTarget, sendRecord, sentId, useContentForm } from '#web/lib/content-form.ts'
import { scrollIntoSight } from '#web/lib/focus.ts'
import { isSameForm, type OpenedForm, readChart } from './data.ts'
import { nodeOptions } from './use-arrangement.ts'

interface NodeFormProps {
  stored: OrgNode | null
  basis: NewNodeBasis
  nodes: readonly OrgNode[]
  foot: HTMLElement | null
  onDirty: (isDirty: boolean) => void
  onTakeOver: (now: OrgNode) => void
  onSaved: (saved: { id: string; name: string }, isNew: boolean) => void
  onClose: () => void
}

const formId = 'org-node-form'

/** Input is preserved when sending fails. */
function NodeForm({ stored, basis, nodes, foot, onDirty, onTakeOver, ...on }: NodeFormProps) {
  const form = useNodeForm({
    stored: stored,
    basis,
    onSaved(saved) {
      onDirty(false)
      on.onSaved(saved, stored === null || form.isGone)
    },
  })
  const { failure, isDirty, isGone } = form
  const report = useEffectEvent(onDirty)
  useEffect(() => report(isDirty), [isDirty])
  useEffect(() => () => report(false), [])

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
        {failure?.isConflict && stored ? (
          <NodeConflict
            seen={stored}
            onTakeOver={onTakeOver}
            onSaveOver={({ version }) => form.saveOver(version)}
          />
        ) : (
          failure && <FormFailure message={failure.sentence || 'An error occurred'} />
        )}
        {isGone && (
          <div
            ref={scrollIntoSight}
            className="scroll-my-5 flex flex-wrap items-center gap-3 rounded-box bg-warning-soft px-4 py-3 text-sm"
          >
            <p className="min-w-48 flex-1">
              It was deleted while you were editing. Your changes are still here, but its saved photo is gone.
            </p>
            <Button variant="outline" size="sm" onClick={form.saveAsNew}>
              Add as a new position
            </Button>
          </div>
        )}
        <NodeFormFields form={form} stored={stored} nodes={nodes} />
      </form>
      {foot && createPortal(<Foot form={form} isNew={stored === null} onClose={on.onClose} />, foot)}
    </>
  )
}

interface FootProps {
  form: NodeFormState
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

interface NodeConflictProps {
  seen: OrgNode
  onTakeOver: (now: OrgNode) => void
  onSaveOver: (now: OrgNode) => void
}

function NodeConflict({ seen, onTakeOver, onSaveOver }: NodeConflictProps) {
  async function read(signal: AbortSignal) {
    const { items: nodes } = await readChart(signal)
    const node = nodes.find(({ id }) => id === seen.id)
    return node && { node, nodes }
  }
  return (
    <ConflictPanel
      what="position"
      read={read}
      changesOf={({ node, nodes }) => changedSince(seen, node, nodes)}
      // Only what was changed here is sent.
      saveLabel="Overwrite with mine"
      onTakeOver={({ node }) => onTakeOver(node)}
      onSaveOver={({ node }) => onSaveOver(node)}
    />
  )
}

function changedSince(
  seen: OrgNode,
  now: OrgNode,
  nodes: readonly OrgNode[],
): { label: string; now: string }[] {
  const nameOf = (id: string | null) => nodes.find((node) => node.id === id)?.name ?? 'No one'
  const described: readonly { label: string; of: (node: OrgNode) => string | null; text?: string }[] = [
    { label: 'Name', of: ({ name }) => name },
    { label: 'Title', of: ({ title }) => title },
    { label: 'Department', of: ({ department }) => department },
    { label: 'Reports to', of: ({ parentId }) => parentId, text: nameOf(now.parentId) },
    { label: 'Photo', of: ({ imageUrl }) => imageUrl, text: now.imageUrl ? 'New photo' : 'Removed' },
  ]
  return described
    .filter(({ of }) => of(seen) !== of(now))
    .map(({ label, of, text }) => ({ label, now: text ?? (of(now) || 'None') }))
}

interface NodeFormFieldsProps {
  form: NodeFormState
  stored: OrgNode | null
  nodes: readonly OrgNode[]
}

/** Spec §2 "Org chart manager". */
function NodeFormFields({ form, stored, nodes }: NodeFormFieldsProps) {
  const { values, change, errorOf, refuseField, hold } = form
  const parents = nodeOptions(stored ? possibleParents(nodes, stored.id) : nodes)
  // Deleted, or moved below, by another user: shown until another one is chosen.
  const isParentGone = values.parentId !== '' && parents.every(({ value }) => value !== values.parentId)
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        name="name"
        label="Name"
        required
        autoComplete="off"
        value={values.name}
        error={errorOf('name')}
        onChange={({ target }) => change({ name: target.value })}
      />
      <TextField
        name="title"
        label="Title"
        autoComplete="off"
        value={values.title}
        error={errorOf('title')}
        onChange={({ target }) => change({ title: target.value })}
      />
      <SelectField
        name="department"
        label="Department"
        placeholder="None"
        options={departments}
        value={values.department}
        error={errorOf('department')}
        onChange={({ target }) => change({ department: target.value })}
      />
      <SelectField
        name="parentId"
        label="Reports to"
        placeholder="No one (top level)"
        options={
          isParentGone ? [...parents, { value: values.parentId, label: 'No longer available' }] : parents
        }
        value={values.parentId}
        error={errorOf('parentId')}
        onChange={({ target }) => change({ parentId: target.value })}
      />
      <div className="sm:col-span-2">
        <ImageField
          name="image"
          label="Photo"
          hint="JPEG, PNG, GIF or WEBP, up to 2 MB. Large images are resized. A square photo works best."
          maxBytes={imageLimits.orgPhoto}
          currentUrl={values.isImageRemoved ? null : (stored?.imageUrl ?? null)}
          chosen={values.image}
          error={errorOf('image')}
          onChoose={(image) => change({ image })}
          onRefuse={(sentence) => refuseField('image', sentence)}
          onHold={(sentence) => hold('image', sentence)}
          onRemove={() => change(values.image ? { image: null } : { isImageRemoved: true })}
        />
      </div>
    </div>
  )
}

interface NodeFormOptions {
  stored: OrgNode | null
  basis: NewNodeBasis
  onSaved: (saved: { id: string; name: string }) => void
}

function useNodeForm({ stored, basis, onSaved }: NodeFormOptions) {
  const target = useRef<RecordTarget>(stored)
  const [seen] = useState(() => valuesOf(stored, basis))
  const form = useContentForm<NodeValues, { id: string; name: string }>({
    initial: seen,
    problemsOf,
    send: (values, onProgress) =>
      sendRecord({
        collection: '/api/org-chart/nodes',
        target: target.current,
        body: bodyOf(values, target.current && seen),
        read: savedOf,
        onProgress,
      }),
    onSaved,
  })
  useDeferredSessionEnd(form.isDirty)

  return {
    ...form,
    isGone: stored !== null && form.failure?.sentence === orgSentences.missing,
    // Overwrites only the fields that were changed here. `version` is the one stored now.
    saveOver(version: number) {
      target.current = target.current && { ...target.current, version }
      void form.submit()
    },
    // The current photo was deleted with the node; the input is still here.
    saveAsNew() {
      target.current = null
      void form.submit()
    },
  }
}

type NodeFormState = ReturnType<typeof useNodeForm>

function savedOf(answer: unknown): { id: string; name: string } | undefined {
  const id = sentId(answer)
  const isNamed = typeof answer === 'object' && answer !== null && 'name' in answer
  return id !== undefined && isNamed && typeof answer.name === 'string'
    ? { id, name: answer.name }
    : undefined
}

interface NodeValues {
  name: string
  title: string
  department: string
  parentId: string
  image: File | null
  isImageRemoved: boolean
}

type NewNodeBasis = Pick<OrgNode, 'parentId' | 'department'>

export function valuesOf(stored: OrgNode | null, basis: NewNodeBasis): NodeValues {
  return {
    name: stored?.name ?? '',
    title: stored?.title ?? '',
    department: (stored ?? basis).department,
    parentId: (stored ?? basis).parentId ?? '',
    image: null,
    isImageRemoved: false,
  }
}

const fields = ['name', 'title', 'department', 'parentId'] as const

export function problemsOf(values: NodeValues): FieldError[] {
  const sent = Object.fromEntries(fields.map((field) => [field, values[field]]))
  const { error } = z.safeParse(newOrgNodeSchema, sent)
  return (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }))
}

/**
 * An edit sends only changed fields, so that other users' changes to the rest stay. @param seen the
 * values that the form began with; null for a new position
 */
export function bodyOf(values: NodeValues, seen: NodeValues | null): FormData {
  const body = new FormData()
  for (const field of fields) {
    if (seen === null || values[field] !== seen[field]) body.set(field, values[field])
  }
  if (values.image) body.set('image', values.image)
  else if (seen !== null && values.isImageRemoved) body.set('keepExistingImage', 'false')
  return body
}

interface NodeEditorProps {
  opened: OpenedForm | null
  nodes: readonly OrgNode[] | null
  department: Department
  onDirty: (isDirty: boolean) => void
  onSaved: (saved: { id: string; name: string }, isNew: boolean) => void
  onClose: () => void
}

export function NodeEditor({ opened, nodes, department, onDirty, onSaved, onClose }: NodeEditorProps) {
  const { form, startFrom } = useOpenedForm(opened, nodes)
  // The form knows what its buttons can do; they stand in the modal's foot.
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  const { opened: shown, stored } = form
  return (
    <Modal
      open={opened !== null}
      onClose={onClose}
      title={shown?.kind === 'edit' ? 'Edit position' : 'Add position'}
      footer={<div ref={setFoot} className="contents" />}
    >
      {nodes === null ? (
        <FormSkeleton />
      ) : shown?.kind === 'edit' && !stored ? (
        <ErrorBanner message={orgSentences.missing} />
      ) : (
        <NodeForm
          key={form.formKey}
          stored={stored}
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
  stored: OrgNode | null
  formKey: number
  isOpen: boolean
}

/** While the modal fades out the former form is still shown. */
function useOpenedForm(opened: OpenedForm | null, nodes: readonly OrgNode[] | null) {
  const find = () => (opened?.kind === 'edit' && nodes?.find((node) => node.id === opened.id)) || null
  const [form, setForm] = useState<FormState>(() => ({
    opened,
    stored: find(),
    formKey: 0,
    isOpen: opened !== null,
  }))
  const start = (stored: OrgNode | null) =>
    setForm({ opened, stored: stored, formKey: form.formKey + 1, isOpen: true })

  if (opened === null && form.isOpen) setForm({ ...form, isOpen: false })
  else if (opened !== null) {
    const found = form.stored === null ? find() : null
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
