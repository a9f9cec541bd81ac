import { nstpComponents } from '#shared/students/student-choices.ts'
import { creditLimits, earlierGraduatesSchema } from '#shared/terms/credits.ts'
import { SelectField, TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { useOfficeForm } from '#web/components/record-form.ts'
import { showToast } from '#web/components/toaster.tsx'
import { showUndoable } from '#web/components/undo-toast.ts'
import { callApi, slowApi } from '#web/lib/api.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useReadAgain } from '#web/lib/query.ts'

interface EarlierGraduatesModalProps {
  ids: readonly string[] | null
  onClose: () => void
}

/** Credits of both levels for the selected students, who graduated before this system. */
export function EarlierGraduatesModal({ ids, onClose }: EarlierGraduatesModalProps) {
  return (
    <ModalOf
      thing={ids}
      onClose={onClose}
      size="sm"
      title={({ length }) => `${countOf(length, 'student')} graduated before this system`}
    >
      {(ids) => <CreditsForm ids={ids} onClose={onClose} />}
    </ModalOf>
  )
}

function CreditsForm({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const readAgain = useReadAgain('terms')
  const form = useOfficeForm({
    topics: ['terms'],
    values: { students: [...ids], academicYear: '', component: '', evidence: '' },
    controlId: (path) => `graduated-${path}`,
    problemsOf: (values) => problemsOfSchema(earlierGraduatesSchema, creditsOf(values)),
    send: (values) =>
      callApi(slowApi.credits.$post({ json: earlierGraduatesSchema.parse(creditsOf(values)) })),
    onDone({ id, count, unchanged, blocked }) {
      const others = [
        unchanged > 0 && `${figureText(unchanged)} had both levels already or are exempt`,
        blocked > 0 && `${figureText(blocked)} blocked`,
      ].filter((text) => text !== false)
      const rest = others.length > 0 ? ` Left as they are: ${others.join(', ')}.` : ''
      if (count === 0) showToast('warning', `No credits were added.${rest}`, { shownMs: null })
      else
        showUndoable({
          message: `${countOf(count, 'student')} credited.${rest}`,
          whatFailed: 'Failed to undo the credits',
          async undo() {
            await callApi(slowApi.credits.batches[':id'].undo.$post({ param: { id } }))
            await readAgain()
            showToast('success', 'Credits undone')
          },
        })
      onClose()
    },
  })
  const tooMany = form.errorOf('students')
  return (
    <Form form={form} isGuarded={false}>
      <p>
        This adds credits for NSTP 1 and NSTP 2 to the records that lack them. Certificates need marks or
        credits for both levels.
      </p>
      {tooMany && <p className="text-danger">{tooMany}</p>}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form.field('academicYear')} label="Academic year" placeholder="2018-2019" required />
        <SelectField
          {...form.field('component')}
          label="Component"
          placeholder="As each record has it"
          options={nstpComponents}
        />
      </div>
      <TextField
        {...form.field('evidence')}
        label="Evidence"
        required
        hint="Such as: List of graduates from CHED, seen 3 Aug"
        maxLength={creditLimits.evidence}
      />
      <FormFoot form={form} label="Add credits" onCancel={onClose} />
    </Form>
  )
}

const creditsOf = <Values extends { component: string }>({ component, ...values }: Values) => ({
  ...values,
  component: component || null,
})
