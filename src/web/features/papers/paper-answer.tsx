import { type PaperAnswer, paperAnswersSchema, paperLimits } from '#shared/papers/papers.ts'
import type { Paper } from '#shared/papers/papers-response.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { problemsOfSchema } from '#web/components/form.tsx'
import { ReasonForm } from '#web/components/reason-form.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sendOwn } from '#web/lib/live.ts'
import { countOf } from '#web/lib/number-texts.ts'

/** About people of one rule. Null takes an answer back. */
export interface PaperQuestion {
  answer: PaperAnswer | null
  code: string
  people: readonly { subject: string; name: string }[]
}

const words = {
  meant: { title: 'Meant so', confirm: 'Save', done: 'meant so' },
  'left out': { title: 'Leave out', confirm: 'Leave out', done: 'left out' },
} as const

export const answerTitle = ({ answer }: PaperQuestion) =>
  answer ? words[answer].title : 'Take the answer back'

interface AnswerFormProps {
  paper: Paper
  question: PaperQuestion
  onAnswered: () => void
  onClose: () => void
}

export function AnswerForm({ paper, question, onAnswered, onClose }: AnswerFormProps) {
  const { answer, code, people } = question
  const who = people.length === 1 ? people[0]?.name : countOf(people.length, 'student')
  const answered = (reason: string) => ({
    code,
    subjects: people.map(({ subject }) => subject),
    answer,
    reason,
  })
  const saving = useActionWithToast({
    topics: ['papers'],
    mutationFn: (reason: string) =>
      sendOwn('papers', () =>
        callApi(api.papers[':id'].answers.$put({ param: { id: paper.id }, json: answered(reason) })),
      ),
    done: answer ? `${who}: ${words[answer].done}` : `${who}: checked again`,
    onDone() {
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
