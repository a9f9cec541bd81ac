import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import {
  type Continuation,
  type ContinuingChoice,
  type ContinuingGroup,
  choicesOfGroup,
  proposedChoices,
} from '#shared/terms/continuing.ts'
import type { ContinuationPreview, Term } from '#shared/terms/terms-response.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { CheckLine } from '#web/components/check-line.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField } from '#web/components/field.tsx'
import { Hint } from '#web/components/hint.tsx'
import { ModalFoot } from '#web/components/modal.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { useAccount } from '#web/lib/account.ts'
import { callApi, reading, slowApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { useBatchToast } from './batch-toast.ts'
import type { Cell } from './data.ts'
import { FirstNames } from './first-names.tsx'

interface ContinueStudentsProps {
  term: Term
  cell: Cell
  onClose: () => void
  /** @param level where most of them are now */
  onContinued: (level: '1' | '2') => void
}

const groupNames = (first: string): Record<ContinuingGroup, string> => ({
  passed: `Passed ${first}`,
  'no mark': `${first} without a mark yet`,
  incomplete: `${first} incomplete`,
  failed: 'Failed',
  dropped: 'Dropped',
  done: 'Passed both levels',
})

const choiceNames = (second: string): Record<ContinuingChoice, string> => ({
  next: `To ${second}`,
  again: 'The same level again',
  leave: 'Leave out',
})

/** Continues students of earlier terms in this one. */
export function ContinueStudents({ term, cell, onClose, onContinued }: ContinueStudentsProps) {
  const { includes } = useAccount()
  const [whose, setWhose] = useState<'one' | 'all'>('one')
  const [choices, setChoices] = useState(proposedChoices)
  const [copySections, setCopySections] = useState(true)
  const showDone = useBatchToast()
  const continuation: Continuation = {
    choices,
    copySections,
    ...(whose === 'one' && { component: cell.component }),
  }
  const param = { id: term.id }
  const preview = useQuery({
    queryKey: ['terms', 'continuing', term.id, continuation],
    meta: { topics: ['students'] },
    queryFn: reading(slowApi.terms[':id'].continuations.preview.$post, { param, json: continuation }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const continuing = useAction({
    topics: ['terms'],
    // Sent again after a lost answer, it takes nobody in again.
    mutationFn: (basis: string) =>
      callApi(
        slowApi.terms[':id'].continuations.$post({
          param,
          header: { 'idempotency-key': basis },
          json: { ...continuation, basis },
        }),
      ),
    onSuccess({ batchId, count }) {
      showDone(`${countOf(count, 'student')} continued`, batchId)
      onContinued(data && data.again > data.next ? '1' : '2')
    },
  })
  const { data, isPlaceholderData } = preview
  const count = data ? data.next + data.again : 0
  const isReady = data !== undefined && !isPlaceholderData && count > 0 && !continuing.isPending
  return (
    <div className="grid gap-5">
      {continuing.error && <ErrorBanner message={sentenceOf(continuing.error)} />}
      {nstpComponents.filter(includes).length > 1 && (
        <ChoiceButtons
          legend="Students of"
          choices={[
            { value: 'one', label: cell.component },
            { value: 'all', label: 'All components' },
          ]}
          selected={whose}
          onSelect={setWhose}
        />
      )}
      <CheckLine checked={copySections} onChange={setCopySections}>
        Copy the sections of the last term and keep everybody in theirs
      </CheckLine>
      <LoadedPart query={preview} what="the preview" lines={5} className="h-14">
        {(preview) => (
          <Preview
            preview={preview}
            component={continuation.component ?? null}
            choices={choices}
            onChoose={(group, choice) => setChoices((now) => ({ ...now, [group]: choice }))}
          />
        )}
      </LoadedPart>
      <ModalFoot>
        <SmallButton onClick={onClose}>Cancel</SmallButton>
        <Button size="sm" aria-disabled={!isReady} onClick={() => isReady && continuing.run(data.basis)}>
          {continuing.isPending ? 'Saving…' : `Continue ${countOf(count, 'student')}`}
        </Button>
      </ModalFoot>
    </div>
  )
}

interface PreviewProps {
  preview: ContinuationPreview
  /** Null means all components. */
  component: NstpComponent | null
  choices: Continuation['choices']
  onChoose: (group: ContinuingGroup, choice: ContinuingChoice) => void
}

function Preview({ preview, component, choices, onChoose }: PreviewProps) {
  const { levelName } = useLevelNames()
  const { groups, next, again, left, sections, withoutSection } = preview
  const filledGroups = groups.filter(({ count }) => count > 0)
  return (
    <>
      <p role="status" className="font-semibold">
        {filledGroups.length === 0
          ? 'Nobody of the last two academic years is left to continue.'
          : `${figureText(next)} to ${levelName(component, 2)}, ${figureText(again)} the same level again, ${figureText(left)} left out`}
      </p>
      <ul className="grid gap-3">
        {filledGroups.map(({ group, count, students }) => (
          <li key={group} className="grid gap-2 rounded-box border px-4 py-3">
            <GroupChoice
              group={group}
              component={component}
              count={count}
              choice={choices[group]}
              onChoose={onChoose}
            />
            <details className="text-sm">
              <summary className="min-h-7 cursor-pointer">Names</summary>
              <FirstNames students={students} count={count} />
            </details>
          </li>
        ))}
      </ul>
      {next + again > 0 && (
        <Hint>
          {[
            sections > 0 && `${countOf(sections, 'section')} will be added.`,
            withoutSection > 0 &&
              `${countOf(withoutSection, 'student')} without a section: place them afterwards.`,
          ]
            .filter(Boolean)
            .join(' ')}
        </Hint>
      )}
    </>
  )
}

interface GroupChoiceProps extends Pick<PreviewProps, 'component' | 'onChoose'> {
  group: ContinuingGroup
  count: number
  choice: ContinuingChoice
}

function GroupChoice({ group, component, count, choice, onChoose }: GroupChoiceProps) {
  const { levelName } = useLevelNames()
  const label = `${groupNames(levelName(component, 1))[group]}: ${countOf(count, 'student')}`
  const offered = choicesOfGroup[group]
  if (offered.length === 1) return <p className="text-sm font-semibold">{label}</p>
  return (
    <SelectField
      name={`continue-${group.replace(' ', '-')}`}
      label={label}
      density="compact"
      className="sm:max-w-xs"
      options={offered.map((value) => ({ value, label: choiceNames(levelName(component, 2))[value] }))}
      value={choice}
      onChange={({ target }) => {
        const chosen = offered.find((one) => one === target.value)
        if (chosen) onChoose(group, chosen)
      }}
    />
  )
}
