import { imageLimits } from '#shared/images.ts'
import { departments, type OrgNode } from '#shared/org-chart.ts'
import { possibleParents } from '#shared/org-tree.ts'
import { ImageField } from '#web/components/image-field.tsx'
import { SelectField } from '#web/components/select-field.tsx'
import { TextField } from '#web/components/text-field.tsx'
import { nodeOptions } from './node-options.ts'
import type { NodeForm } from './use-node-form.ts'

interface NodeFormFieldsProps {
  form: NodeForm
  held: OrgNode | null
  /** The chart as it is now. */
  nodes: readonly OrgNode[]
}

/** The fields of a position (spec §2 "Org chart manager"). */
export function NodeFormFields({ form, held, nodes }: NodeFormFieldsProps) {
  const { values, change, errorOf, refuseField, hold } = form
  const parents = nodeOptions(held ? possibleParents(nodes, held.id) : nodes)
  // Deleted, or moved below, by somebody else: shown until another one is chosen.
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
        label="Parent"
        placeholder="None: the top of the chart"
        options={
          isParentGone ? [...parents, { value: values.parentId, label: 'No longer possible' }] : parents
        }
        value={values.parentId}
        error={errorOf('parentId')}
        onChange={({ target }) => change({ parentId: target.value })}
      />
      <div className="sm:col-span-2">
        <ImageField
          name="image"
          label="Photo"
          hint="JPEG, PNG, GIF or WEBP, at most 2 MB; a larger one is made smaller. A square one looks best."
          maxBytes={imageLimits.orgPhoto}
          currentUrl={values.isImageRemoved ? null : (held?.imageUrl ?? null)}
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
