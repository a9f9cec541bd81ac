import { ListOrdered } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { SmallButton } from '#web/components/button.tsx'
import { isHalfTyped, SelectField, TextField } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { Hint } from '#web/components/hint.tsx'
import { Modal } from '#web/components/modal.tsx'
import { useOfficeForm } from '#web/components/record-form.ts'
import { api, callApi } from '#web/lib/api.ts'
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
      <Hint>
        Upload the file with serial numbers as it came back. Its rows are compared with this paper as it was
        frozen. No number is entered before you apply it.
      </Hint>
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
  const form = useOfficeForm({
    topics: ['imports'],
    values: {
      ...{ component: paper.components[0] ?? 'CWTS', first: '', last: '' },
      ...{ reference: '', receivedOn: '' },
    },
    // The server checks the range.
    problemsOf: () =>
      isHalfTyped('receivedOn') ? [{ path: 'receivedOn', message: 'Please enter the day as a date.' }] : [],
    send: ({ receivedOn, ...range }) =>
      callApi(
        api.papers[':id'].range.$post({
          param: { id: paper.id },
          json: { ...range, receivedOn: receivedOn || null },
        }),
      ),
    onDone: ({ id }) => void navigate(importPath({ id, purpose: 'serials' })),
  })
  return (
    <Form form={form} isGuarded={false}>
      <Hint>
        The numbers go to the graduates of the component in the order of the paper. You see them before they
        are applied.
      </Hint>
      <SelectField {...form.field('component')} label="Component" options={paper.components} />
      <TextField {...form.field('first')} label="First number" placeholder="C-07-100001-26" required />
      <TextField {...form.field('last')} label="Last number" placeholder="C-07-100075-26" required />
      <TextField {...form.field('reference')} label="Letter or reference" />
      <TextField {...form.field('receivedOn')} type="date" label="Received on" />
      <FormFoot form={form} label="Check the range" busyLabel="Checking…" onCancel={onClose} />
    </Form>
  )
}
