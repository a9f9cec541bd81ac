import { QuestionModal } from '#web/components/question-modal.tsx'
import { countOf } from '#web/lib/number-texts.ts'

interface SignOutQuestionProps {
  /** How many calls of the account wait on this phone; null closes it. */
  waiting: number | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before an account signs out whose calls were not sent. */
export function SignOutQuestion({ waiting, onConfirm, onClose }: SignOutQuestionProps) {
  return (
    <QuestionModal
      title="Sign out before your calls are sent?"
      thing={waiting}
      words={() => ({ confirm: 'Sign out', dismiss: 'Stay signed in' })}
      onConfirm={() => {
        onClose()
        onConfirm()
      }}
      onClose={onClose}
    >
      {(count) => (
        <p>
          {`${countOf(count, 'call')} of your roll ${count === 1 ? 'was' : 'were'} not sent and ${count === 1 ? 'stays' : 'stay'} on this phone, without names. Nobody else can send ${count === 1 ? 'it' : 'them'}: sign in here again, and open Roll.`}
        </p>
      )}
    </QuestionModal>
  )
}
