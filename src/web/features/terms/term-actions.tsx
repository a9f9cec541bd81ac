import { CalendarCheck, CalendarCog, CalendarX, ChevronDown, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type TermState, termLabel } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { SmallButton } from '#web/components/button.tsx'
import { Menu, type MenuEntry } from '#web/components/menu.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'

interface TermActionsProps {
  term: Term
  unmarked: number
  onEditDates: () => void
  onDeleted: () => void
}

export function TermActions({ term, unmarked, onEditDates, onDeleted }: TermActionsProps) {
  const [asked, setAsked] = useState<'close' | 'delete' | null>(null)
  const label = termLabel(term)
  const seen = { 'if-match': `"${term.version}"` }
  const change = useAction({
    topics: ['terms'],
    mutationFn: async (state: TermState) => {
      const { id, startsOn, endsOn } = term
      await callApi(
        api.terms[':id'].$patch({ param: { id }, header: seen, json: { startsOn, endsOn, state } }),
      )
    },
    onSuccess(_, state) {
      setAsked(null)
      showToast({ type: 'success', message: `${label} is ${state}` })
    },
    onError(error) {
      if (asked === null) showToast({ type: 'error', message: sentenceOf(error) })
    },
  })
  const deletion = useAction({
    topics: ['terms'],
    mutationFn: () => callApi(api.terms[':id'].$delete({ param: { id: term.id }, header: seen })),
    onSuccess() {
      setAsked(null)
      showToast({ type: 'success', message: `${label} deleted` })
      onDeleted()
    },
  })
  const acting = asked === 'delete' ? deletion : change
  const entries: MenuEntry[] = [
    { label: 'Edit dates', icon: CalendarCog, onSelect: onEditDates },
    term.state === 'open'
      ? { label: 'Close', icon: CalendarX, onSelect: () => setAsked('close') }
      : {
          label: term.state === 'closed' ? 'Open again' : 'Open',
          icon: CalendarCheck,
          onSelect: () => change.run('open'),
        },
    { label: 'Delete', icon: Trash2, danger: true, onSelect: () => setAsked('delete') },
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
        title={asked === 'delete' ? 'Delete this term?' : 'Close this term?'}
        thing={asked}
        action={acting}
        isDangerous={asked === 'delete'}
        words={(question) =>
          question === 'delete'
            ? { confirm: 'Delete', busy: 'Deleting…' }
            : { confirm: 'Close term', busy: 'Closing…' }
        }
        onConfirm={(question) => (question === 'delete' ? deletion.run() : change.run('closed'))}
        onClose={() => setAsked(null)}
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
