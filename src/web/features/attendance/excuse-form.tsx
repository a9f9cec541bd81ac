import { useState } from 'react'
import { callMessages } from '#shared/attendance/calls.ts'
import { excuseGroundNames, excuseGrounds } from '#shared/attendance/excuse-grounds.ts'
import { SmallButton } from '#web/components/button.tsx'
import { SelectField } from '#web/components/field.tsx'
import { ActionForm } from '#web/components/form-foot.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { type CallQueue, emptyCall, type NewCall } from './call-queue.tsx'

interface ExcuseModalProps {
  queue: CallQueue
  /** The cells that are excused. */
  calls: readonly NewCall[] | null
  /** Whether the answer can be present: on a phone the question also comes by a tap too many. */
  hasPresent?: boolean
  onClose: () => void
}

export function ExcuseModal(props: ExcuseModalProps) {
  return (
    <ModalOf thing={props.calls} onClose={props.onClose} size="sm" title="Why is the absence excused?">
      {(calls) => <ExcuseForm {...props} calls={calls} />}
    </ModalOf>
  )
}

const notSent = { isPending: false, error: null }

function ExcuseForm({
  queue,
  calls,
  hasPresent = false,
  onClose,
}: ExcuseModalProps & { calls: readonly NewCall[] }) {
  const [chosen, setChosen] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const ground = excuseGrounds.find((one) => one === chosen)
  const call = (change: Partial<NewCall>) => {
    queue.add(calls.map((cell) => ({ ...cell, ...emptyCall, ...change })))
    onClose()
  }
  return (
    <ActionForm
      action={notSent}
      label="Excuse"
      onCancel={onClose}
      onSubmit={() => {
        setSubmitted(true)
        if (ground) call({ state: 'excused', ground })
      }}
    >
      <SelectField
        name="ground"
        label="Ground"
        placeholder="Please choose"
        options={excuseGrounds.map((value) => ({ value, label: excuseGroundNames[value] }))}
        value={chosen}
        error={isSubmitted && !ground ? callMessages.ground : undefined}
        hint="The portal keeps no diagnosis."
        onChange={({ target }) => setChosen(target.value)}
      />
      {hasPresent && <SmallButton onClick={() => call({ state: 'present' })}>Present</SmallButton>}
    </ActionForm>
  )
}
