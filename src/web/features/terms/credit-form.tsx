import { useState } from 'react'
import { nstpComponents } from '#shared/students/student-choices.ts'
import {
  type CreditGround,
  creditGrounds,
  creditKinds,
  creditLimits,
  creditSchema,
  type NewCredit,
  revokeSchema,
} from '#shared/terms/credits.ts'
import type { ProgramCredit } from '#shared/terms/program-response.ts'
import { levels } from '#shared/terms/terms.ts'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { problemsOfSchema } from '#web/components/form.tsx'
import { ActionForm } from '#web/components/form-foot.tsx'
import { Modal, ModalOf } from '#web/components/modal.tsx'
import { ReasonForm } from '#web/components/reason-form.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { useAction } from '#web/lib/query.ts'

export const groundTexts: Record<CreditGround, string> = {
  transferee: 'Transferee',
  shifter: 'Shifter',
  'previous degree': 'Previous degree',
  'foreign national': 'Foreign national',
  'graduated before this system': 'Graduated before this system',
  other: 'Other',
}

interface CreditModalProps {
  isOpen: boolean
  studentId: string
  /** The student's name, if the screen behind shows many students. */
  name?: string | undefined
  onClose: () => void
  /** Sends the credit together with what else the sending does. */
  around?: (send: () => Promise<unknown>) => Promise<unknown>
}

export function CreditModal({ isOpen, ...props }: CreditModalProps) {
  return (
    <Modal open={isOpen} onClose={props.onClose} size="sm" title="Credit or exemption">
      <CreditForm {...props} />
    </Modal>
  )
}

function CreditForm({
  studentId,
  name,
  onClose,
  around = (send) => send(),
}: Omit<CreditModalProps, 'isOpen'>) {
  const [credit, setCredit] = useState<NewCredit>({
    ...{ kind: 'credit', level: 1, component: null, ground: 'transferee' },
    ...{ school: '', academicYear: '', mark: '', evidence: '' },
  })
  const [isSubmitted, setSubmitted] = useState(false)
  const isCredit = credit.kind === 'credit'
  const { levelName } = useLevelNames()
  const sent = isCredit ? credit : { ...credit, level: null, component: null, mark: '' }
  const problems = problemsOfSchema(creditSchema, sent)
  const set = (change: Partial<NewCredit>) => setCredit({ ...credit, ...change })
  const text = (name: 'school' | 'academicYear' | 'mark' | 'evidence', label: string) => ({
    name: `credit-${name}`,
    label,
    value: credit[name],
    error: isSubmitted ? problems.find(({ path }) => path === name)?.message : undefined,
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  })
  const action = useAction({
    topics: ['terms'],
    mutationFn: () =>
      around(() =>
        callApi(
          api.students[':id'].credits.$post({ param: { id: studentId }, json: creditSchema.parse(sent) }),
        ),
      ),
    onSuccess() {
      showToast({ type: 'success', message: isCredit ? 'Credit added' : 'Exemption added' })
      onClose()
    },
  })
  return (
    <ActionForm
      action={action}
      label={isCredit ? 'Add credit' : 'Exempt'}
      onCancel={onClose}
      onSubmit={() => {
        setSubmitted(true)
        if (problems.length === 0) action.run()
      }}
    >
      {name && <p className="font-semibold wrap-anywhere">{name}</p>}
      <ChoiceButtons
        legend="Kind"
        choices={creditKinds.map((value) => ({ value, label: value === 'credit' ? 'Credit' : 'Exemption' }))}
        selected={credit.kind}
        onSelect={(kind) => set({ kind })}
      />
      {isCredit && (
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            name="credit-level"
            label="Level"
            options={levels.map((level) => ({
              value: String(level),
              label: levelName(credit.component, level),
            }))}
            value={String(credit.level)}
            onChange={({ target }) => set({ level: target.value === '1' ? 1 : 2 })}
          />
          <SelectField
            name="credit-component"
            label="Component"
            placeholder="Not known"
            options={nstpComponents}
            value={credit.component ?? ''}
            onChange={({ target }) =>
              set({ component: nstpComponents.find((one) => one === target.value) ?? null })
            }
          />
        </div>
      )}
      <SelectField
        name="credit-ground"
        label="Ground"
        options={creditGrounds.map((value) => ({ value, label: groundTexts[value] }))}
        value={credit.ground}
        onChange={({ target }) =>
          set({ ground: creditGrounds.find((one) => one === target.value) ?? 'other' })
        }
      />
      <TextField {...text('school', 'School')} maxLength={creditLimits.school} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...text('academicYear', 'Academic year')} placeholder="2025-2026" />
        {isCredit && <TextField {...text('mark', 'Mark')} maxLength={creditLimits.mark} />}
      </div>
      <TextField
        {...text('evidence', 'Evidence')}
        required
        hint="Such as: Transcript of records, seen 3 Aug"
        maxLength={creditLimits.evidence}
      />
    </ActionForm>
  )
}

interface RevokeModalProps {
  credit: ProgramCredit | null
  onClose: () => void
}

export function RevokeModal({ credit, onClose }: RevokeModalProps) {
  return (
    <ModalOf
      thing={credit}
      onClose={onClose}
      size="sm"
      title={({ kind }) => (kind === 'exemption' ? 'Revoke this exemption' : 'Revoke this credit')}
    >
      {(shown) => <RevokeForm credit={shown} onClose={onClose} />}
    </ModalOf>
  )
}

function RevokeForm({ credit: { id }, onClose }: RevokeModalProps & { credit: ProgramCredit }) {
  const action = useAction({
    topics: ['terms'],
    mutationFn: (reason: string) =>
      callApi(api.credits[':id'].revoke.$post({ param: { id }, json: { reason } })),
    onSuccess() {
      showToast({ type: 'success', message: 'Revoked' })
      onClose()
    },
  })
  return (
    <ReasonForm
      action={action}
      problemOf={(reason) => problemsOfSchema(revokeSchema, { reason })[0]?.message}
      maxLength={creditLimits.reason}
      label="Revoke"
      isDangerous
      onCancel={onClose}
    >
      It stays in the record, with the reason. Placing and continuing no longer count it.
    </ReasonForm>
  )
}
