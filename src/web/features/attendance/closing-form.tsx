import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ClosingPreview, TrainingDay } from '#shared/attendance/attendance-response.ts'
import {
  type ClosingChoice,
  closingChoices,
  needsChoice,
  trainingDayMessages,
} from '#shared/attendance/training-days.ts'
import { SmallButton } from '#web/components/button.tsx'
import { CheckLine } from '#web/components/check-line.tsx'
import { SelectField } from '#web/components/field.tsx'
import { ActionForm } from '#web/components/form-foot.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi, reading, slowApi } from '#web/lib/api.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'

interface ClosingProps {
  day: TrainingDay
  onClose: () => void
}

/** Asks what closing needs to know, and closes. */
export function Closing({ day, onClose }: ClosingProps) {
  const query = useQuery({
    queryKey: ['attendance', 'closing', day.id],
    meta: { topics: ['students', 'terms'] },
    queryFn: reading(api['training-days'][':id'].closing.$get, { param: { id: day.id } }),
  })
  return (
    <LoadedPart query={query} what="the sections" lines={4} className="h-11">
      {(preview) => <ClosingForm preview={preview} day={day} onClose={onClose} />}
    </LoadedPart>
  )
}

const choices: readonly { value: ClosingChoice; label: string }[] = [
  { value: 'open', label: 'Leave open' },
  { value: 'cancelled', label: 'Cancelled for them' },
  { value: 'absent', label: 'All absent' },
]

type ClosingSection = ClosingPreview['sections'][number]

function ClosingForm({ preview, day, onClose }: ClosingProps & { preview: ClosingPreview }) {
  const [chosen, setChosen] = useState<ReadonlyMap<string | null, ClosingChoice>>(new Map())
  const [withLater, setWithLater] = useState(false)
  const [isSubmitted, setSubmitted] = useState(false)
  const asked = preview.sections.filter((section) => needsChoice(section, withLater))
  const answered = asked.flatMap(({ sectionId }) => {
    const choice = chosen.get(sectionId)
    return choice ? [{ sectionId, choice }] : []
  })
  const absentIn = ({ absent, later }: ClosingSection) => absent + (withLater ? later : 0)
  const all = preview.sections
    .filter((section) => !asked.includes(section) || chosen.get(section.sectionId) === 'absent')
    .reduce((sum, section) => sum + absentIn(section), 0)
  const later = preview.sections.reduce((sum, section) => sum + section.later, 0)
  const action = useAction({
    topics: ['attendance'],
    mutationFn: () =>
      callApi(
        slowApi['training-days'][':id'].closing.$post({
          param: { id: day.id },
          header: { 'if-match': `"${day.version}"` },
          json: { sections: answered, withLater },
        }),
      ),
    onSuccess(closed) {
      const what = closed.day.state === 'closed' ? 'Training day closed' : 'Closed for the other sections'
      showToast('success', `${what}: ${countOf(closed.absent, 'student')} absent`)
      onClose()
    },
  })
  return (
    <ActionForm
      action={action}
      label={`Close with ${countOf(all, 'student')} absent`}
      busyLabel="Closing…"
      onCancel={onClose}
      onSubmit={() => {
        setSubmitted(true)
        if (answered.length === asked.length) action.run()
      }}
    >
      <p>
        {day.replacesId === null
          ? 'Who was enrolled on that day and not called becomes absent. Blocked records are left out.'
          : 'A make-up day counts only for who attended it: nobody becomes absent.'}
      </p>
      {later > 0 && (
        <CheckLine checked={withLater} onChange={setWithLater}>
          Also {countOf(later, 'student')} who {later === 1 ? 'was' : 'were'} placed after that day. Otherwise
          the day doesn’t count for them.
        </CheckLine>
      )}
      {asked.length > 0 && (
        <p className="text-sm text-muted">
          Nobody called {asked.length === 1 ? 'this section' : 'these sections'}. Please choose what that
          means.
        </p>
      )}
      {asked.length > 2 && (
        <div className="flex flex-wrap gap-2">
          {choices
            .filter(({ value }) => value !== 'cancelled')
            .map(({ value, label }) => (
              <SmallButton
                key={value}
                onClick={() => setChosen(new Map(asked.map(({ sectionId }) => [sectionId, value])))}
              >
                {`For all: ${label}`}
              </SmallButton>
            ))}
        </div>
      )}
      {asked.map((section) => {
        const { sectionId, label } = section
        // The students without a section have no id.
        const key = sectionId ?? 'none'
        return (
          <SelectField
            key={key}
            name={key}
            label={`${label} (${countOf(absentIn(section), 'student')})`}
            placeholder="Please choose"
            options={choices.filter(({ value }) => sectionId !== null || value !== 'cancelled')}
            value={chosen.get(sectionId) ?? ''}
            error={isSubmitted && !chosen.has(sectionId) ? trainingDayMessages.choices : undefined}
            onChange={({ target }) => {
              const choice = closingChoices.find((value) => value === target.value)
              if (choice) setChosen(new Map(chosen).set(sectionId, choice))
            }}
          />
        )
      })}
    </ActionForm>
  )
}
