import { type PaperAnswer, paperAnswersSchema, paperLimits } from '#shared/papers/papers.ts'
import type { Paper } from '#shared/papers/papers-response.ts'
import { problemsOfSchema } from '#web/components/form.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { ReasonForm } from '#web/components/reason-form.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'

/** About people of one rule. Null takes an answer back. */
export interface Asked {
  answer: PaperAnswer | null
  code: string
  people: readonly { subject: string; name: string }[]
}

interface AnswerModalProps {
  paper: Paper
  asked: Asked | null
  around: (send: () => Promise<unknown>) => Promise<unknown>
  onAnswered: () => void
  onClose: () => void
}

const words = {
  meant: { title: 'Meant so', confirm: 'Save', done: 'meant so' },
  'left out': { title: 'Leave out', confirm: 'Leave out', done: 'left out' },
} as const

export function AnswerModal({ asked, ...props }: AnswerModalProps) {
  return (
    <ModalOf
      thing={asked}
      onClose={props.onClose}
      size="sm"
      title={({ answer }) => (answer ? words[answer].title : 'Take the answer back')}
    >
      {(shown) => <AnswerForm asked={shown} {...props} />}
    </ModalOf>
  )
}

function AnswerForm({
  paper,
  asked: { answer, code, people },
  around,
  onAnswered,
  onClose,
}: AnswerModalProps & { asked: Asked }) {
  const who = people.length === 1 ? people[0]?.name : countOf(people.length, 'student')
  const answered = (reason: string) => ({
    code,
    subjects: people.map(({ subject }) => subject),
    answer,
    reason,
  })
  const saving = useAction({
    topics: ['papers'],
    mutationFn: (reason: string) =>
      around(() =>
        callApi(api.papers[':id'].answers.$put({ param: { id: paper.id }, json: answered(reason) })),
      ),
    onSuccess() {
      showToast({
        type: 'success',
        message: answer ? `${who}: ${words[answer].done}` : `${who}: checked again`,
      })
      onAnswered()
      onClose()
    },
  })
  return (
    <ReasonForm
      action={saving}
      problemOf={(reason) => problemsOfSchema(paperAnswersSchema, answered(reason))[0]?.message}
      maxLength={paperLimits.reason}
      hasReason={answer !== null}
      label={answer ? words[answer].confirm : 'Take back'}
      onCancel={onClose}
    >
      {answer === 'left out' ? `${who} will not be in this paper. The record stays as it is.` : who}
    </ReasonForm>
  )
}
