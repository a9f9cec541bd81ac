import { useState } from 'react'
import { marksMessages, mostInReason } from '#shared/terms/marks.ts'
import type { MarkList } from '#shared/terms/marks-response.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { Button } from '#web/components/button.tsx'
import { TextField } from '#web/components/field.tsx'
import { isAbout } from '#web/lib/api-problem.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import type { TypedScores } from './score-cells.tsx'

export interface SentMark {
  id: string
  version: number
  mark: string
  isProposed: boolean
}

export interface SentMarks {
  marks: readonly SentMark[]
  reason: string
}

interface MarksFootProps extends Pick<MarkList, 'scheme'> {
  term: Term
  scores: TypedScores
  saving: { isPending: boolean; error: Error | null; run: (sent: SentMarks) => void }
  /** The marks that were typed, and those that the parts give. */
  changed: readonly SentMark[]
  toEnter: readonly SentMark[]
  /** Whether a number is typed against what the parts give. */
  isAgainst: boolean
  unreadable: number
  conflicts: number
}

/** Saves what was typed, and enters what the parts give. */
export function MarksFoot(props: MarksFootProps) {
  const { term, scheme, scores, saving, changed, toEnter, isAgainst, unreadable, conflicts } = props
  const [reason, setReason] = useState('')
  const isClosed = term.state === 'closed'
  const isReady = changed.length > 0 && !saving.isPending
  const mayEnterAll = toEnter.length > 0 && !scores.isUnsaved && !saving.isPending
  return (
    <div className="sticky bottom-0 z-10 flex flex-wrap items-end gap-3 rounded-box border border-edge bg-card p-3 shadow-card">
      {(isClosed || isAgainst) && (
        <TextField
          name="reason"
          label="Reason"
          density="compact"
          className="w-80 max-w-full"
          required
          maxLength={mostInReason}
          error={isAbout(saving.error, 'reason') ? marksMessages[isClosed ? 'reason' : 'against'] : undefined}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
      <SaveScores scores={scores} />
      {scheme && (
        <Button
          size="sm"
          variant={scores.unsaved.length > 0 ? 'outline' : 'primary'}
          aria-disabled={!mayEnterAll}
          onClick={() => mayEnterAll && saving.run({ marks: toEnter, reason: isClosed ? reason : '' })}
        >
          {toEnter.length === 0 ? 'Enter marks' : `Enter ${countOf(toEnter.length, 'mark')}`}
        </Button>
      )}
      {(!scheme || changed.length > 0) && (
        <Button
          size="sm"
          variant={scheme ? 'outline' : 'primary'}
          aria-disabled={!isReady}
          onClick={() =>
            isReady && saving.run({ marks: changed, reason: isClosed || isAgainst ? reason : '' })
          }
        >
          {saveText(changed.length, saving.isPending)}
        </Button>
      )}
      <p role="status" className="text-sm text-muted">
        {openText({
          isWaiting: toEnter.length > 0 && scores.isUnsaved,
          unreadable: unreadable + scores.unreadable,
          conflicts: conflicts + scores.conflicts,
        })}
      </p>
    </div>
  )
}

function SaveScores({ scores: { unsaved, saving, save } }: { scores: TypedScores }) {
  if (unsaved.length === 0) return null
  return (
    <Button size="sm" aria-disabled={saving.isPending} onClick={save}>
      {saving.isPending ? 'Saving…' : `Save ${countOf(unsaved.length, 'score')}`}
    </Button>
  )
}

interface Open {
  isWaiting: boolean
  unreadable: number
  conflicts: number
}

function openText({ isWaiting, unreadable, conflicts }: Open): string {
  return factsText(
    isWaiting && 'Save the scores first',
    unreadable > 0 && `${figureText(unreadable)} can’t be read`,
    conflicts > 0 && `${figureText(conflicts)} changed by somebody else`,
  )
}

function saveText(count: number, isSaving: boolean): string {
  if (isSaving) return 'Saving…'
  return count === 0 ? 'Save marks' : `Save ${countOf(count, 'mark')}`
}
