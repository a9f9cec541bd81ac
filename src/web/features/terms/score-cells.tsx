import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { studentName } from '#shared/students/student-name.ts'
import { attendanceScore, proposeMark } from '#shared/terms/mark-proposal.ts'
import type { MarkScheme, SchemePart } from '#shared/terms/mark-scheme.ts'
import { writtenMark } from '#shared/terms/marking.ts'
import { marksMessages, mostScoresAtOnce } from '#shared/terms/marks.ts'
import type { MarkItem } from '#shared/terms/marks-response.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { Button } from '#web/components/button.tsx'
import { Cell } from '#web/components/data-table.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useAccount } from '#web/lib/account.ts'
import { callApi, slowApi } from '#web/lib/api.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useAction, useReadAgain } from '#web/lib/query.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { PastedText } from './pasted-text.tsx'
import { type TypedMarks, withKept, withoutSaved, withTyped } from './typed-marks.ts'
import {
  type PastedScores,
  readScores,
  type ScoreCell,
  type ScoreState,
  scoreCell,
  scoresWith,
  stateOfScore,
} from './typed-scores.ts'

interface SentScore {
  /** The cell, with its text when it was sent. */
  cell: string
  text: string
  sent: { id: string; part: string; seen: number | null; score: number | null }
}

/** The scores of a section as they are typed, pasted and saved. */
export function useScores(term: Term, scheme: MarkScheme | null, items: readonly MarkItem[]) {
  const { marking } = useSettings()
  const [typed, setTyped] = useState<TypedMarks>(new Map())
  const [pasted, setPasted] = useState<PastedScores | null>(null)
  const readAgain = useReadAgain('terms')
  const saving = useAction({
    topics: ['terms'],
    async mutationFn(scores: readonly SentScore[]) {
      const answer = await callApi(
        slowApi.terms[':id'].scores.$put({
          param: { id: term.id },
          json: { items: scores.map(({ sent }) => sent) },
        }),
      )
      // The saved scores are on the screen before the typed ones are forgotten.
      await readAgain()
      return answer
    },
    onSuccess({ items: saved, conflicts }, scores) {
      const sent = scores.map(({ cell, text }) => ({ id: cell, mark: writtenMark(text) }))
      setTyped((now) => withoutSaved(now, sent, new Set(saved.map(({ id, part }) => `${id} ${part}`))))
      if (conflicts.length === 0) showToast('success', `${countOf(saved.length, 'score')} saved`)
      else {
        const which = conflicts.length === 1 ? 'it' : 'them'
        const count = countOf(conflicts.length, 'score')
        showToast('warning', `${count} not saved: somebody else changed ${which} meanwhile`)
      }
    },
  })
  const parts = scheme?.parts ?? []
  const cells = items.flatMap((item) => parts.map((part) => scoreCell(item, part)))
  const states = cells.map((cell) => ({ cell, state: stateOfScore(cell, typed) }))
  const unsaved = states.flatMap(({ cell, state }): SentScore[] => {
    if (state.kind !== 'changed') return []
    const { id, item, part } = cell
    const { score, seen } = state
    return [{ cell: id, text: typed.get(id)?.text ?? '', sent: { id: item.id, part: part.key, seen, score } }]
  })
  const countCells = (kind: ScoreState['kind']) => states.filter(({ state }) => state.kind === kind).length

  return {
    parts,
    saving,
    unsaved,
    unreadable: countCells('unreadable'),
    conflicts: countCells('conflict'),
    isUnsaved: countCells('saved') < cells.length,
    save: () => saving.run(unsaved.slice(0, mostScoresAtOnce)),
    /** What the parts give with the scores as they are typed. */
    propose: (item: MarkItem) =>
      scheme &&
      proposeMark(scheme, { scores: scoresWith(item, parts, typed), attended: item.attended }, marking),
    cellOf(item: MarkItem, part: SchemePart) {
      const cell = scoreCell(item, part)
      return { cell, text: typed.get(cell.id)?.text ?? cell.mark, state: stateOfScore(cell, typed) }
    },
    type: (cell: ScoreCell, text: string) => setTyped((now) => withTyped(now, cell, text)),
    keepMine: (cell: ScoreCell) => setTyped((now) => withKept(now, cell)),
    takeTheirs: (cell: ScoreCell) => setTyped((now) => new Map([...now].filter(([id]) => id !== cell.id))),
    paste(event: ClipboardEvent, row: number, column: number) {
      const text = event.clipboardData.getData('text/plain')
      // One cell is typed text.
      if (!/[\t\n]/.test(text.trimEnd())) return
      event.preventDefault()
      setPasted(
        readScores(text, { row, column }, (down, right) => {
          const [item, part] = [items[down], parts[right]]
          return item && part && scoreCell(item, part)
        }),
      )
    },
    pasted,
    fill({ cells: filled }: PastedScores) {
      setTyped((now) => filled.reduce((all, { cell, text }) => withTyped(all, cell, text), now))
      setPasted(null)
    },
    closePasted: () => setPasted(null),
  }
}

export type TypedScores = ReturnType<typeof useScores>

interface ScoreCellsProps {
  scores: TypedScores
  item: MarkItem
  row: number
  onKey: (event: KeyboardEvent<HTMLInputElement>) => void
}

/** A cell for each part of a student's mark. */
export function ScoreCells({ scores, item, row, onKey }: ScoreCellsProps) {
  const { can } = useAccount()
  return scores.parts.map((part, column) => {
    const { cell, text, state } = scores.cellOf(item, part)
    const counted = part.attendance && item.attended ? String(attendanceScore(item.attended, part.top)) : ''
    return (
      <Cell key={part.key} className="tabular-nums">
        {can('marks') ? (
          <input
            className="control min-h-9 w-16 px-2 text-sm max-md:min-h-11 max-md:text-base"
            aria-label={`${part.name} of ${studentName(item.student)}`}
            aria-invalid={state.kind === 'unreadable' || state.kind === 'conflict'}
            aria-describedby={`remarks-${item.id}`}
            autoComplete="off"
            inputMode="decimal"
            placeholder={counted}
            title={counted && `${item.attended?.attended} of ${item.attended?.of} attended`}
            value={text}
            onChange={({ target }) => scores.type(cell, target.value)}
            onKeyDown={onKey}
            onPaste={(event) => scores.paste(event, row, column)}
          />
        ) : (
          text || counted
        )}
      </Cell>
    )
  })
}

/** What is wrong with the scores of a student; nothing where all is well. */
export function ScoreRemarks({ scores, item }: Pick<ScoreCellsProps, 'scores' | 'item'>) {
  return scores.parts.map((part) => {
    const { cell, state } = scores.cellOf(item, part)
    if (state.kind === 'unreadable') {
      return (
        <span key={part.key} className="block font-medium text-danger">
          {part.name}: {marksMessages.score(part.top)}
        </span>
      )
    }
    if (state.kind !== 'conflict') return null
    return (
      <span key={part.key} className="flex flex-wrap items-center gap-2">
        <span className="font-medium text-warning">
          {part.name}:{' '}
          {cell.mark === '' ? 'somebody else took the score back.' : `somebody else entered ${cell.mark}.`}
        </span>
        <Button variant="outline" size="sm" onClick={() => scores.keepMine(cell)}>
          Keep mine
        </Button>
        <Button variant="ghost" size="sm" onClick={() => scores.takeTheirs(cell)}>
          Take theirs
        </Button>
      </span>
    )
  })
}

export function PastedScoresModal({ scores }: Pick<ScoreCellsProps, 'scores'>) {
  return (
    <QuestionModal
      title="Fill in these scores?"
      thing={scores.pasted}
      isDangerous={false}
      isPossible={(scores.pasted?.cells.length ?? 0) > 0}
      words={({ cells }) => ({ confirm: `Fill in ${countOf(cells.length, 'score')}` })}
      onConfirm={scores.fill}
      onClose={scores.closePasted}
    >
      {({ cells, unreadable, beyond, hasHeading }) => (
        <PastedText
          {...{ unreadable, beyond, hasHeading }}
          count={cells.length}
          noun="score"
          beyondNoun="cell"
        >
          Where a cell is empty, the score stays as it is.
        </PastedText>
      )}
    </QuestionModal>
  )
}
