import { useRef, useState } from 'react'
import { imageLimits } from '#shared/files/images.ts'
import { type Department, departments, orgSentences } from '#shared/org-chart/org-chart.ts'
import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { newOrgNodeSchema } from '#shared/org-chart/org-chart-schema.ts'
import { possibleParents } from '#shared/org-chart/org-tree.ts'
import type { FieldError } from '#shared/problem.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { ImageField } from '#web/components/file-field.tsx'
import { DeletedNotice, type EditForm, Form, problemsOfSchema } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { useRecordForm } from '#web/components/record-form.ts'
import { Loading } from '#web/components/tab-frame.tsx'
import { UnsavedGuard } from '#web/components/unsaved-prompt.tsx'
import { sendRecord, sentId } from '#web/lib/send-form.ts'
import { chartAddress, isSameForm, isThisTab, type OpenedForm, openedOf, readChart } from './data.ts'
import { nodeOptions } from './use-arrangement.ts'

interface NodeEditorProps {
  opened: OpenedForm | null
  nodes: readonly OrgNode[] | null
  department: Department
  /** Unsaved moves, which leaving would lose too. */
  hasMoves: boolean
  onSaved: (name: string, id: string, isNew: boolean) => void
  onClose: () => void
}

export function NodeEditor({ opened, ...rest }: NodeEditorProps) {
  return (
    <ModalOf
      thing={opened}
      onClose={rest.onClose}
      title={({ edit }) => (edit !== null ? 'Edit position' : 'Add position')}
    >
      {(opened) => <OpenedNode opened={opened} {...rest} />}
    </ModalOf>
  )
}

function OpenedNode({ opened, nodes, ...rest }: NodeEditorProps & { opened: OpenedForm }) {
  const found = nodes?.find(({ id }) => id === opened.edit) ?? null
  // The position as it was when the form was opened. It stays if the position is deleted meanwhile.
  const [stored, setStored] = useState(found)
  if (!stored && found) setStored(found)
  if (nodes === null) return <Loading what="the position" lines={3} className="h-11" />
  if (opened.edit !== null && !stored) return <ErrorBanner message={orgSentences.missing} />
  return <NodeForm {...rest} opened={opened} stored={stored} nodes={nodes} />
}

interface NodeFormProps extends Omit<NodeEditorProps, 'opened' | 'nodes'> {
  opened: OpenedForm
  stored: OrgNode | null
  nodes: readonly OrgNode[]
}

const labels = {
  name: 'Name',
  title: 'Title',
  department: 'Department',
  parentId: 'Reports to',
  image: 'Photo',
} as const

function NodeForm({ opened, stored, nodes, department, hasMoves, onSaved, onClose }: NodeFormProps) {
  // After it was deleted, it can be added again.
  const target = useRef(stored)
  const [now, setNow] = useState({ stored, nodes })
  const form = useRecordForm<OrgNode | null, NodeValues, { id: string; name: string }>({
    topics: ['org-chart'],
    stored,
    what: 'position',
    labels,
    textOf: (name, values) =>
      name === 'image'
        ? photoText(values.image, stored)
        : name === 'parentId'
          ? (now.nodes.find(({ id }) => id === values.parentId)?.name ?? 'No one')
          : values[name],
    valuesOf: (node) => valuesOf(node, { department, parentId: opened.add || null }),
    async read() {
      const { items } = await readChart()
      const found = items.find(({ id }) => id === stored?.id)
      if (found) setNow({ stored: found, nodes: items })
      return found
    },
    missing: orgSentences.missing,
    problemsOf,
    staysOpen: (next) => isThisTab(next) && isSameForm(openedOf(chartAddress.read(next.search)), opened),
    send: (values, { version, changed, onProgress }) =>
      sendRecord({
        collection: '/api/org-chart/nodes',
        target: target.current && { id: target.current.id, version },
        body: bodyOf(values, target.current && changed),
        read: (answer) => {
          const id = sentId(answer)
          return id === undefined ? id : { id, name: values.name.trim() }
        },
        onProgress,
      }).done,
    onDone: ({ id, name }) => onSaved(name, id, target.current === null),
  })
  const isGone = target.current !== null && form.failure?.sentence === orgSentences.missing
  const isSending = form.phase === 'sending'

  return (
    <>
      <Form form={form} isGuarded={false}>
        {isGone && (
          <DeletedNotice
            lost="photo is gone"
            action="Add as a new position"
            onAct={() => {
              target.current = null
              void form.submit()
            }}
          />
        )}
        <NodeFields form={form} stored={now.stored} nodes={nodes} />
      </Form>
      <UnsavedGuard
        isUnsaved={form.isDirty || hasMoves}
        staysOpen={(next) => form.staysOpen(next) && (!hasMoves || isThisTab(next))}
        closesTo={(next) => isThisTab(next) && openedOf(chartAddress.read(next.search)) === null}
      />
      <FormFoot form={form} label={stored ? 'Save changes' : 'Add position'} onCancel={onClose}>
        {isSending && form.values.image instanceof File && (
          <div className="min-w-[min(12rem,100%)] flex-1">
            <ProgressBar label="Uploading" part={form.progress ?? 0} />
          </div>
        )}
      </FormFoot>
    </>
  )
}

interface NodeFieldsProps {
  form: EditForm<NodeValues>
  stored: OrgNode | null
  nodes: readonly OrgNode[]
}

function NodeFields({ form, stored, nodes }: NodeFieldsProps) {
  const { parentId } = form.values
  const parents = nodeOptions(stored ? possibleParents(nodes, stored.id) : nodes)
  // Deleted, or moved below, by another user: shown until another one is chosen.
  if (parentId !== '' && parents.every(({ value }) => value !== parentId))
    parents.push({ value: parentId, label: 'No longer available' })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label={labels.name} required autoComplete="off" {...form.field('name')} />
      <TextField label={labels.title} autoComplete="off" {...form.field('title')} />
      <SelectField
        label={labels.department}
        placeholder="None"
        options={departments}
        {...form.field('department')}
      />
      <SelectField
        label={labels.parentId}
        placeholder="No one (top level)"
        options={parents}
        {...form.field('parentId')}
      />
      <div className="sm:col-span-2">
        <ImageField
          form={form}
          label={labels.image}
          hint="JPEG, PNG, GIF or WEBP, up to 2 MB. Large images are resized. A square photo works best."
          maxBytes={imageLimits.orgPhoto}
          storedUrl={stored?.imageUrl}
        />
      </div>
    </div>
  )
}

interface NodeValues {
  name: string
  title: string
  department: string
  parentId: string
  /** The address of the stored one; '' for none. */
  image: File | string
}

export function valuesOf(
  stored: OrgNode | null,
  basis: Pick<OrgNode, 'parentId' | 'department'> = { parentId: null, department: '' },
): NodeValues {
  const { department, parentId } = stored ?? basis
  return {
    name: stored?.name ?? '',
    title: stored?.title ?? '',
    department,
    parentId: parentId ?? '',
    image: stored?.imageUrl ?? '',
  }
}

export function problemsOf({ image: _image, ...texts }: NodeValues): FieldError[] {
  return problemsOfSchema(newOrgNodeSchema, texts)
}

/** @param changed only these are sent, so that other users' changes to the rest stay; null for a new position */
export function bodyOf(values: NodeValues, changed: readonly string[] | null): FormData {
  const { image, ...texts } = values
  const body = new FormData()
  for (const [field, text] of Object.entries(texts))
    if (changed?.includes(field) ?? true) body.set(field, text)
  if (image instanceof File) body.set('image', image)
  else if (image === '' && changed?.includes('image')) body.set('keepExistingImage', 'false')
  return body
}

function photoText(image: NodeValues['image'], stored: OrgNode | null): string {
  if (image === '') return 'Removed'
  return image === stored?.imageUrl ? 'Unchanged' : 'New photo'
}
