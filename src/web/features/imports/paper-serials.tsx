import { ListOrdered } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { SmallButton } from '#web/components/button.tsx'
import { isHalfTyped, SelectField, TextField } from '#web/components/field.tsx'
import { ActionForm } from '#web/components/form-foot.tsx'
import { Modal } from '#web/components/modal.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { useAction } from '#web/lib/query.ts'
import { ImportHistory } from './import-history.tsx'
import { importPath } from './imports-data.ts'
import { UploadStep } from './upload-step.tsx'

interface PaperSerialsProps {
  paper: { id: string; components: readonly NstpComponent[] }
}

/** The serial numbers that came back for a paper: as a file, or as a range. */
export function PaperSerials({ paper }: PaperSerialsProps) {
  const [isOpen, setOpen] = useState(false)
  const list = { purpose: 'serials', paper: paper.id } as const
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">
        Upload the file with serial numbers as it came back. Its rows are compared with this paper as it was
        frozen. No number is entered before you apply it.
      </p>
      <UploadStep list={list} />
      <SmallButton icon={ListOrdered} className="self-start" onClick={() => setOpen(true)}>
        Enter a range…
      </SmallButton>
      <Modal open={isOpen} onClose={() => setOpen(false)} size="sm" title="Enter a range">
        <RangeForm paper={paper} onClose={() => setOpen(false)} />
      </Modal>
      <ImportHistory list={list} />
    </div>
  )
}

function RangeForm({ paper, onClose }: PaperSerialsProps & { onClose: () => void }) {
  const navigate = useNavigate()
  const [component, setComponent] = useState(paper.components[0] ?? 'CWTS')
  const [values, setValues] = useState({ first: '', last: '', reference: '', receivedOn: '' })
  const [isDayMissing, setDayMissing] = useState(false)
  const dealing = useAction({
    topics: ['imports'],
    mutationFn: () => {
      const receivedOn = values.receivedOn === '' ? null : values.receivedOn
      return callApi(
        api.papers[':id'].range.$post({
          param: { id: paper.id },
          json: { ...values, component, receivedOn },
        }),
      )
    },
    onSuccess: (added) => void navigate(importPath({ id: added.id, purpose: 'serials' })),
  })
  const { error } = dealing
  const errors = error instanceof ApiProblem ? (error.problem.errors ?? []) : []
  const field = (name: keyof typeof values) => ({
    name,
    value: values[name],
    error: errors.find(({ path }) => path === name)?.message,
    onChange: ({ target }: { target: { value: string } }) => setValues({ ...values, [name]: target.value }),
  })
  return (
    <ActionForm
      action={{ isPending: dealing.isPending, error: errors.length === 0 ? error : null }}
      label="Check the range"
      busyLabel="Checking…"
      onCancel={onClose}
      onSubmit={() => {
        const isHalf = isHalfTyped('receivedOn')
        setDayMissing(isHalf)
        if (!isHalf) dealing.run()
      }}
    >
      <p className="text-sm text-muted">
        The numbers go to the graduates of the component in the order of the paper. You see them before they
        are applied.
      </p>
      <SelectField
        name="component"
        label="Component"
        options={paper.components}
        value={component}
        onChange={({ target }) =>
          setComponent(paper.components.find((name) => name === target.value) ?? component)
        }
      />
      <TextField {...field('first')} label="First number" placeholder="C-07-100001-26" required />
      <TextField {...field('last')} label="Last number" placeholder="C-07-100075-26" required />
      <TextField {...field('reference')} label="Letter or reference" />
      <TextField
        {...field('receivedOn')}
        {...(isDayMissing && { error: 'Please enter the day as a date.' })}
        type="date"
        label="Received on"
      />
    </ActionForm>
  )
}
