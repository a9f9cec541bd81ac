import { CalendarCheck, CalendarCog, CalendarX, ChevronDown, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type TermState, termLabel } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { SmallButton } from '#web/components/button.tsx'
import { Menu, type MenuEntry } from '#web/components/menu.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { countOf } from '#web/lib/number-texts.ts'

interface TermActionsProps {
  term: Term
  unmarked: number
  onEditDates: () => void
  onDeleted: () => void
}

export function TermActions({ term, unmarked, onEditDates, onDeleted }: TermActionsProps) {
  const [question, setQuestion] = useState<'close' | 'delete' | null>(null)
  const label = termLabel(term)
  const { id, startsOn, endsOn } = term
  const header = ifMatch(term.version)
  const close = () => setQuestion(null)
  const change = useActionWithToast({
    topics: ['terms'],
    mutationFn: (state: TermState) =>
      callApi(api.terms[':id'].$patch({ param: { id }, header, json: { startsOn, endsOn, state } })),
    done: (_term, state) => `${label} is ${state}`,
    onDone: close,
    ...(question === null && { saysFailure: true }),
  })
  const deletion = useActionWithToast({
    topics: ['terms'],
    mutationFn: () => callApi(api.terms[':id'].$delete({ param: { id }, header })),
    done: `${label} deleted`,
    onDone() {
      close()
      onDeleted()
    },
  })
  const acting = question === 'delete' ? deletion : change
  const entries: MenuEntry[] = [
    { label: 'Edit dates', icon: CalendarCog, onSelect: onEditDates },
    term.state === 'open'
      ? { label: 'Close', icon: CalendarX, onSelect: () => setQuestion('close') }
      : {
          label: term.state === 'closed' ? 'Open again' : 'Open',
          icon: CalendarCheck,
          onSelect: () => change.run('open'),
        },
    { label: 'Delete', icon: Trash2, danger: true, onSelect: () => setQuestion('delete') },
  ]
  return (
    <>
      <Menu
        align="start"
        trigger={
          <SmallButton aria-label={`Actions for ${label}`}>
            Actions
            <ChevronDown className="size-4" />
          </SmallButton>
        }
        entries={entries}
      />
      <QuestionModal
        title={question === 'delete' ? 'Delete this term?' : 'Close this term?'}
        thing={question}
        action={acting}
        isDangerous={question === 'delete'}
        words={(question) =>
          question === 'delete'
            ? { confirm: 'Delete', busy: 'Deleting…' }
            : { confirm: 'Close term', busy: 'Closing…' }
        }
        onConfirm={(question) => (question === 'delete' ? deletion.run() : change.run('closed'))}
        onClose={close}
      >
        {(question) => (
          <div className="grid gap-4">
            <p>
              {question === 'delete'
                ? `${label} and its sections are deleted. This is possible only while nobody is in it.`
                : `The sections and students of ${label} then stay as they are. You can open it again.`}
            </p>
            {question === 'close' && unmarked > 0 && (
              <p>
                {countOf(unmarked, 'student')} {unmarked === 1 ? 'has' : 'have'} no mark. Later marks need a
                reason.
              </p>
            )}
          </div>
        )}
      </QuestionModal>
    </>
  )
}
