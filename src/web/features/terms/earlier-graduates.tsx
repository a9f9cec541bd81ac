import { useState } from 'react'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { creditLimits, type EarlierGraduates, earlierGraduatesSchema } from '#shared/terms/credits.ts'
import { SelectField, TextField } from '#web/components/field.tsx'
import { problemsOfSchema } from '#web/components/form.tsx'
import { ActionForm } from '#web/components/form-foot.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { showUndoable } from '#web/components/undo-toast.ts'
import { callApi, slowApi } from '#web/lib/api.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useAction, useReadAgain } from '#web/lib/query.ts'

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
      {(shown) => <CreditsForm ids={shown} onClose={onClose} />}
    </ModalOf>
  )
}

function CreditsForm({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const [typed, setTyped] = useState<Omit<EarlierGraduates, 'students'>>({
    academicYear: '',
    component: null,
    evidence: '',
  })
  const [isSubmitted, setSubmitted] = useState(false)
  const readAgain = useReadAgain('terms')
  const sent = { ...typed, students: [...ids] }
  const problems = problemsOfSchema(earlierGraduatesSchema, sent)
  const problemAt = (path: string) =>
    isSubmitted ? problems.find((problem) => problem.path === path)?.message : undefined
  const action = useAction({
    topics: ['terms'],
    mutationFn: () => callApi(slowApi.credits.$post({ json: sent })),
    onSuccess({ id, count, unchanged, blocked }) {
      const others = [
        unchanged > 0 && `${figureText(unchanged)} had both levels already`,
        blocked > 0 && `${figureText(blocked)} blocked`,
      ].filter((text) => text !== false)
      const rest = others.length > 0 ? ` Left as they are: ${others.join(', ')}.` : ''
      if (count === 0) showToast({ type: 'warning', message: `No credits were added.${rest}`, shownMs: null })
      else
        showUndoable({
          message: `${countOf(count, 'student')} credited.${rest}`,
          whatFailed: 'Failed to undo the credits',
          async undo() {
            await callApi(slowApi.credits.batches[':id'].undo.$post({ param: { id } }))
            await readAgain()
            showToast({ type: 'success', message: 'Credits undone' })
          },
        })
      onClose()
    },
  })
  return (
    <ActionForm
      action={action}
      label="Add credits"
      busyLabel="Adding…"
      onCancel={onClose}
      onSubmit={() => {
        setSubmitted(true)
        if (problems.length === 0) action.run()
      }}
    >
      <p>
        Who has no mark or credit for NSTP 1 or NSTP 2 is credited with it. Certificates need that: they say
        what marks and credits say.
      </p>
      {problemAt('students') && <p className="text-danger">{problemAt('students')}</p>}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="graduated-in"
          label="Academic year"
          placeholder="2018-2019"
          required
          error={problemAt('academicYear')}
          value={typed.academicYear}
          onChange={({ target }) => setTyped({ ...typed, academicYear: target.value })}
        />
        <SelectField
          name="graduated-component"
          label="Component"
          placeholder="As each record has it"
          options={nstpComponents}
          value={typed.component ?? ''}
          onChange={({ target }) =>
            setTyped({ ...typed, component: nstpComponents.find((one) => one === target.value) ?? null })
          }
        />
      </div>
      <TextField
        name="graduated-evidence"
        label="Evidence"
        required
        hint="Such as: List of graduates from CHED, seen 3 Aug"
        maxLength={creditLimits.evidence}
        error={problemAt('evidence')}
        value={typed.evidence}
        onChange={({ target }) => setTyped({ ...typed, evidence: target.value })}
      />
    </ActionForm>
  )
}
