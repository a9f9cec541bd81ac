import { useId, useState } from 'react'
import type { PaperAnswer } from '#shared/papers/papers.ts'
import type { Paper } from '#shared/papers/papers-response.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextField } from '#web/components/field.tsx'
import { Modal, ModalFoot, useLastShown } from '#web/components/modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
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
  onAnswered: () => void
  onClose: () => void
}

const words = {
  meant: { title: 'Meant so', confirm: 'Save', done: 'meant so' },
  'left out': { title: 'Leave out', confirm: 'Leave out', done: 'left out' },
} as const

export function AnswerModal({ asked, ...props }: AnswerModalProps) {
  const { shown, key } = useLastShown(asked)
  const title = shown?.answer ? words[shown.answer].title : 'Take the answer back'
  return (
    <Modal open={asked !== null} onClose={props.onClose} size="sm" title={title}>
      {shown && <AnswerForm key={key} asked={shown} {...props} />}
    </Modal>
  )
}

function AnswerForm({
  paper,
  asked: { answer, code, people },
  onAnswered,
  onClose,
}: AnswerModalProps & { asked: Asked }) {
  const id = useId()
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const who = people.length === 1 ? people[0]?.name : countOf(people.length, 'student')
  const saving = useAction({
    topics: ['papers'],
    mutationFn: () =>
      callApi(
        api.papers[':id'].answers.$put({
          param: { id: paper.id },
          json: { code, subjects: people.map(({ subject }) => subject), answer, reason },
        }),
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
  function save() {
    if (answer !== null && reason.trim() === '') setProblem('Please say why.')
    else saving.run()
  }
  return (
    <form
      id={id}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {saving.error && <ErrorBanner message={sentenceOf(saving.error)} />}
      <p className="wrap-anywhere">
        {answer === 'left out' ? `${who} will not be in this paper. The record stays as it is.` : who}
      </p>
      {answer !== null && (
        <TextField
          name="reason"
          label="Reason"
          required
          value={reason}
          error={problem}
          onChange={({ target }) => {
            setReason(target.value)
            setProblem(undefined)
          }}
        />
      )}
      <ModalFoot>
        <SmallButton onClick={onClose}>Cancel</SmallButton>
        <Button type="submit" form={id} size="sm" aria-disabled={saving.isPending}>
          {saving.isPending ? 'Saving…' : answer ? words[answer].confirm : 'Take back'}
        </Button>
      </ModalFoot>
    </form>
  )
}
