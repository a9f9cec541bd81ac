import { useState } from 'react'
import {
  type AttendanceRule,
  type AttendanceRuleOf,
  attendanceRuleSchema,
  type RuleLimit,
  ruleLimits,
  rulePresets,
} from '#shared/attendance/standing.ts'
import { termLabel } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { SmallButton } from '#web/components/button.tsx'
import { TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { useOfficeForm } from '#web/components/record-form.ts'
import { api, callApi } from '#web/lib/api.ts'

const labels: Readonly<Record<RuleLimit, string>> = {
  absences: 'Most absences',
  inRow: 'Most absences in a row',
  percent: 'Most absences, in % of the days',
  hoursMissed: 'Most missed hours',
  lates: 'Lates that count as one absence',
}

type RuleTexts = Record<RuleLimit | 'hours', string>

const textsOf = ({ absences, percent, inRow, hoursMissed, lates, hours }: AttendanceRule): RuleTexts => ({
  absences: String(absences ?? ''),
  percent: String(percent ?? ''),
  inRow: String(inRow ?? ''),
  hoursMissed: String(hoursMissed ?? ''),
  lates: String(lates ?? ''),
  hours: String(hours),
})

const bodyOf = (component: AttendanceRuleOf['component'], texts: RuleTexts) => ({
  component,
  ...Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.trim() === '' ? null : Number(text)]),
  ),
})

interface RuleFormProps {
  term: Term
  rule: AttendanceRuleOf
  onClose: () => void
}

export function RuleForm({ term, rule, onClose }: RuleFormProps) {
  const [seen] = useState(rule)
  const form = useOfficeForm<RuleTexts, void>({
    values: textsOf(rule),
    problemsOf: (texts) => problemsOfSchema(attendanceRuleSchema, bodyOf(rule.component, texts)),
    async send(texts) {
      await callApi(
        api.terms[':id']['attendance-rule'].$put({
          param: { id: term.id },
          json: { ...attendanceRuleSchema.parse(bodyOf(rule.component, texts)), seen },
        }),
      )
    },
    topics: ['attendance'],
    done: 'Limits saved',
    onDone: onClose,
  })
  return (
    <Form form={form}>
      <p className="text-sm text-muted">
        Who reaches a limit is listed as over, and nothing else happens: whether that is DRP or FA, the office
        decides. It holds for both levels in {termLabel(term)}, and later until it is changed. An excused day
        is no absence.
      </p>
      <div className="flex flex-wrap gap-2">
        {rulePresets.map(({ name, rule: preset }) => (
          <SmallButton
            key={name}
            onClick={() => {
              const texts = textsOf(preset)
              for (const limit of ruleLimits) form.set(limit, texts[limit])
            }}
          >
            {name}
          </SmallButton>
        ))}
      </div>
      <div className="grid items-end gap-4 sm:grid-cols-2">
        {ruleLimits.map((limit) => (
          <TextField key={limit} {...form.field(limit)} inputMode="numeric" label={labels[limit]} />
        ))}
        <TextField
          {...form.field('hours')}
          inputMode="numeric"
          label="Hours of training (law: 54 to 90)"
          required
        />
      </div>
      <p className="text-sm text-muted">Leave a field empty to ignore it.</p>
      <FormFoot form={form} label="Save limits" onCancel={onClose} />
    </Form>
  )
}
