import { nstpComponents } from '#shared/students/student-choices.ts'
import {
  type CreditGround,
  type CreditKind,
  creditGrounds,
  creditKinds,
  creditLimits,
  creditSchema,
  revokeSchema,
} from '#shared/terms/credits.ts'
import type { ProgramCredit } from '#shared/terms/program-response.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { ReasonForm } from '#web/components/reason-form.tsx'
import { useOfficeForm } from '#web/components/record-form.ts'
import { api, callApi } from '#web/lib/api.ts'
import { levelOf, useLevelNames } from '#web/lib/level-names.ts'
import { optionsOf } from '#web/lib/options.ts'

export const groundTexts: Record<CreditGround, string> = {
  transferee: 'Transferee',
  shifter: 'Shifter',
  'previous degree': 'Previous degree',
  'foreign national': 'Foreign national',
  'graduated before this system': 'Graduated before this system',
  other: 'Other',
}

interface CreditFormProps {
  studentId: string
  /** The student's name, if the screen behind shows many students. */
  name?: string | undefined
  onClose: () => void
  /** Sends the credit together with what else the sending does. */
  sendWithin?: (send: () => Promise<unknown>) => Promise<unknown>
}

const emptyCredit = {
  ...{ kind: 'credit' as CreditKind, level: '1', component: '', ground: 'transferee' },
  ...{ school: '', academicYear: '', mark: '', evidence: '' },
}

function creditOf({ level, component, ...values }: typeof emptyCredit) {
  return values.kind === 'credit'
    ? { ...values, level: levelOf(level), component: component || null }
    : { ...values, level: null, component: null, mark: '' }
}

export function CreditForm({ studentId, name, onClose, sendWithin = (send) => send() }: CreditFormProps) {
  const { levelOptions } = useLevelNames()
  const form = useOfficeForm({
    topics: ['terms'],
    values: emptyCredit,
    controlId: (path) => `credit-${path}`,
    problemsOf: (values) => problemsOfSchema(creditSchema, creditOf(values)),
    async send(values) {
      const json = creditSchema.parse(creditOf(values))
      await sendWithin(() => callApi(api.students[':id'].credits.$post({ param: { id: studentId }, json })))
      return json.kind
    },
    done: (kind) => (kind === 'credit' ? 'Credit added' : 'Exemption added'),
    onDone: onClose,
  })
  const { kind, component } = form.values
  const isCredit = kind === 'credit'
  return (
    <Form form={form} isGuarded={false}>
      {name && <p className="font-semibold wrap-anywhere">{name}</p>}
      <ChoiceButtons
        legend="Kind"
        choices={creditKinds.map((value) => ({ value, label: value === 'credit' ? 'Credit' : 'Exemption' }))}
        selected={kind}
        onSelect={(chosen) => form.set('kind', chosen)}
      />
      {isCredit && (
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField {...form.field('level')} label="Level" options={levelOptions(component || null)} />
          <SelectField
            {...form.field('component')}
            label="Component"
            placeholder="Not known"
            options={nstpComponents}
          />
        </div>
      )}
      <SelectField {...form.field('ground')} label="Ground" options={optionsOf(creditGrounds, groundTexts)} />
      <TextField {...form.field('school')} label="School" maxLength={creditLimits.school} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form.field('academicYear')} label="Academic year" placeholder="2025-2026" />
        {isCredit && <TextField {...form.field('mark')} label="Mark" maxLength={creditLimits.mark} />}
      </div>
      <TextField
        {...form.field('evidence')}
        label="Evidence"
        required
        hint="Such as: Transcript of records, seen 3 Aug"
        maxLength={creditLimits.evidence}
      />
      <FormFoot form={form} label={isCredit ? 'Add credit' : 'Exempt'} onCancel={onClose} />
    </Form>
  )
}

export function RevokeCredit({ credit: { id }, onClose }: { credit: ProgramCredit; onClose: () => void }) {
  const action = useActionWithToast({
    topics: ['terms'],
    mutationFn: (reason: string) =>
      callApi(api.credits[':id'].revoke.$post({ param: { id }, json: { reason } })),
    done: 'Revoked',
    onDone: onClose,
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
