import type { ComponentProps } from 'react'
import { useActionWithToast } from './action-toast.ts'
import { QuestionModal } from './question-modal.tsx'

type ActionOptions<Thing, Output> = Parameters<typeof useActionWithToast<Thing, Output>>[0]

interface ConfirmActionProps<Thing, Output>
  extends Omit<ComponentProps<typeof QuestionModal<Thing>>, 'isBusy' | 'action' | 'onConfirm'>,
    Pick<ActionOptions<Thing, Output>, 'topics' | 'done' | 'onDone'> {
  send: (thing: Thing) => Promise<Output>
}

/** Asks, acts, and says what was done. By default, whether to delete. */
export function ConfirmAction<Thing, Output>(props: ConfirmActionProps<Thing, Output>) {
  const { topics, send, done, onDone, ...question } = props
  const action = useActionWithToast<Thing, Output>({
    topics,
    mutationFn: send,
    ...(done && { done }),
    onDone(output, thing) {
      question.onClose()
      onDone?.(output, thing)
    },
  })
  return <QuestionModal {...question} action={action} onConfirm={action.run} />
}
