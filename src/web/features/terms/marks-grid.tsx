import { type ClipboardEvent, useState } from 'react'
import type { Location } from 'react-router'
import { studentName } from '#shared/students/student-name.ts'
import { type MarkScheme, type SchemePart, scaleFault } from '#shared/terms/mark-scheme.ts'
import type { MarkItem, MarkList } from '#shared/terms/marks-response.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { SmallButton } from '#web/components/button.tsx'
import { DataTable } from '#web/components/data-table.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { UnsavedGuard } from '#web/components/unsaved-prompt.tsx'
import { useAccount } from '#web/lib/account.ts'
import { callApi, slowApi } from '#web/lib/api.ts'
import { ApiProblem, isAbout, sentenceOf } from '#web/lib/api-problem.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useAction, useReadAgain } from '#web/lib/query.ts'
import { useSendingKey } from '#web/lib/sending-key.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { useBatchToast } from './batch-toast.ts'
import { goInColumn, MarkRow } from './mark-rows.tsx'
import { type MarksColumn, readColumn } from './marks-column.ts'
import { MarksFoot, type SentMark, type SentMarks } from './marks-foot.tsx'
import { PastedText } from './pasted-text.tsx'
import { isNumber, isToEnter, ProposalCell, proposalOf } from './proposal-cell.tsx'
import { PastedScoresModal, ScoreCells, ScoreRemarks, useScores } from './score-cells.tsx'
import {
  type MarkState,
  stateOf,
  type TypedMarks,
  withColumn,
  withKept,
  withoutSaved,
  withTyped,
} from './typed-marks.ts'

/** Sentences of refused marks, by enrolment. */
type Refused = ReadonlyMap<string, string>

interface PastedColumn extends MarksColumn {
  /** The row in which it was pasted. */
  first: number
}

interface MarksGridProps {
  term: Term
  list: MarkList
  /** The records of students who are over the limits of absences. */
  over?: ReadonlySet<string>
  /** Whether an address shows this list. */
  isHere: (next: Location) => boolean
  /** False while a form over the grid guards its own input. */
  isGuarded?: boolean
}

const partHead = ({ name, weight }: SchemePart) => ({
  head: `${name} ${weight} %`,
  headControl: (
    <span className="block max-w-24 leading-4 whitespace-normal">
      {name} {weight} %
    </span>
  ),
})

const headsOf = (scheme: MarkList['scheme']) => [
  { head: 'No.', headClassName: 'text-right max-md:hidden' },
  scheme ? { head: 'Name', headClassName: 'sticky left-0 z-1' } : 'Name',
  { head: 'Number', headClassName: 'max-md:hidden' },
  ...(scheme ? scheme.parts.map(partHead) : []),
  ...(scheme ? ['Parts give'] : []),
  'Mark',
  'Remarks',
]

export function MarksGrid({ term, list, over, isHere, isGuarded = true }: MarksGridProps) {
  const { items, leftOut, scheme } = list
  const { can } = useAccount()
  const { marking } = useSettings()
  const [typed, setTyped] = useState<TypedMarks>(new Map())
  const [refused, setRefused] = useState<Refused>(new Map())
  const [pasted, setPasted] = useState<PastedColumn | null>(null)
  // Marks that were typed or imported, for which the user takes what the parts give.
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const scores = useScores(term, scheme, items)
  const showDone = useBatchToast()
  const readAgain = useReadAgain('terms')
  const { headerFor, forget } = useSendingKey()
  const saving = useAction({
    topics: ['terms'],
    async mutationFn({ marks, reason: why }: SentMarks) {
      const answer = await callApi(
        slowApi.terms[':id'].marks.$put({
          param: { id: term.id },
          // Marks that are typed until an answer comes are one change with one undo.
          header: headerFor(term.id),
          json: { items: [...marks], reason: why },
        }),
      )
      // The saved marks are on the screen before the typed ones are forgotten.
      await readAgain()
      return answer
    },
    onSuccess({ batchId, items: saved, conflicts }, { marks: sent }) {
      forget()
      const savedIds = new Set(saved.map(({ id }) => id))
      const entered = new Set(sent.filter(({ isProposed }) => isProposed).map(({ id }) => id))
      setTyped((now) =>
        withoutSaved(
          new Map([...now].filter(([id]) => !entered.has(id) || !savedIds.has(id))),
          sent,
          savedIds,
        ),
      )
      setTaken((now) => new Set([...now].filter((id) => !savedIds.has(id))))
      setRefused(new Map())
      const verb = entered.size > 0 ? 'entered' : 'saved'
      if (saved.length > 0) showDone(`${countOf(saved.length, 'mark')} ${verb}`, batchId)
      if (conflicts.length > 0) {
        const which = conflicts.length === 1 ? 'it' : 'them'
        const message = `${countOf(conflicts.length, 'mark')} not saved: somebody else changed ${which} meanwhile`
        showToast('warning', message)
      }
    },
    onError: (error, { marks }) => setRefused(refusedMarks(error, marks)),
  })

  const rows = items.map((item) => {
    const state = stateOf(item, typed.get(item.id), marking)
    return { item, state, proposal: scheme && proposalOf(item, state, scores.propose(item)) }
  })
  const changed = rows.flatMap(({ item: { id, version }, state }): SentMark[] =>
    state.kind === 'changed' ? [{ id, version, mark: state.mark, isProposed: false }] : [],
  )
  const toEnter = rows.flatMap(({ item: { id, version }, state, proposal }): SentMark[] =>
    proposal && state.kind === 'saved' && isToEnter(proposal, taken.has(id))
      ? [{ id, version, mark: proposal.proposed.mark, isProposed: true }]
      : [],
  )
  const countRows = (kind: MarkState['kind']) => rows.filter(({ state }) => state.kind === kind).length

  function type(item: MarkItem, text: string) {
    setTyped((now) => withTyped(now, item, text))
    setRefused((now) => without(now, item.id))
  }

  const takingOf = (id: string) => ({
    isTaken: taken.has(id),
    onTake() {
      setTyped((now) => without(now, id))
      setTaken((now) => new Set([...now, id]))
    },
  })

  function paste(event: ClipboardEvent, first: number) {
    const text = event.clipboardData.getData('text/plain')
    // A text of one cell is typed into the field.
    if (!/[\t\n]/.test(text.trimEnd())) return
    event.preventDefault()
    const column = readColumn(text, marking)
    if (column) setPasted({ ...column, first })
    else showToast('warning', 'Please copy the column of marks alone.')
  }

  return (
    <div className="grid gap-2">
      <Failures errors={[refused.size === 0 ? saving.error : null, scores.saving.error]} />
      {leftOut > 0 && (
        <p className="text-sm text-muted">
          {countOf(leftOut, 'blocked record')} {leftOut === 1 ? 'is' : 'are'} on no list.
        </p>
      )}
      {scheme && <Misfit scheme={scheme} />}
      <DataTable caption="Marks" busy={saving.isPending} isDense heads={headsOf(scheme)}>
        {rows.map(({ item, state, proposal }, index) => (
          <MarkRow
            key={item.id}
            number={index + 1}
            item={item}
            text={can('marks') ? (typed.get(item.id)?.text ?? item.mark) : null}
            state={state}
            parts={
              scheme && (
                <>
                  <ScoreCells scores={scores} item={item} row={index} onKey={goInColumn} />
                  <ProposalCell proposal={proposal} name={studentName(item.student)} {...takingOf(item.id)} />
                </>
              )
            }
            remarks={
              <>
                {scheme && (
                  <>
                    <WithoutParts item={item} state={state} />
                    <ScoreRemarks scores={scores} item={item} />
                  </>
                )}
                {over?.has(item.student.id) && (
                  <OverLimits item={item} state={state} onType={(text) => type(item, text)} />
                )}
              </>
            }
            refusal={refused.get(item.id)}
            onType={(text) => type(item, text)}
            onPaste={(event) => paste(event, index)}
            onKeep={() => setTyped((now) => withKept(now, item))}
            onTake={() => setTyped((now) => without(now, item.id))}
          />
        ))}
      </DataTable>
      {can('marks') && (
        <MarksFoot
          term={term}
          scheme={scheme}
          scores={scores}
          saving={saving}
          changed={changed}
          toEnter={toEnter}
          isAgainst={rows.some(({ proposal }) => proposal?.kind === 'against')}
          unreadable={countRows('unreadable')}
          conflicts={countRows('conflict')}
        />
      )}
      <QuestionModal
        title="Fill in these marks?"
        thing={pasted}
        isDangerous={false}
        isPossible={(pasted?.count ?? 0) > 0}
        words={({ count }) => ({ confirm: `Fill in ${countOf(count, 'mark')}` })}
        onConfirm={(column) => {
          setTyped((now) => withColumn(now, items, column))
          setPasted(null)
        }}
        onClose={() => setPasted(null)}
      >
        {(column) => <Pasted column={column} items={items} />}
      </QuestionModal>
      <PastedScoresModal scores={scores} />
      {isGuarded && (
        <UnsavedGuard isUnsaved={countRows('saved') < rows.length || scores.isUnsaved} staysOpen={isHere} />
      )}
    </div>
  )
}

function without<Value>(all: ReadonlyMap<string, Value>, id: string): ReadonlyMap<string, Value> {
  const others = new Map(all)
  others.delete(id)
  return others
}

function refusedMarks(error: unknown, sent: readonly SentMark[]): Refused {
  const errors = error instanceof ApiProblem ? (error.problem.errors ?? []) : []
  return new Map(
    sent.flatMap(({ id }, index) => {
      const own = errors.find(({ path }) => path === `items.${index}.mark`)
      return own ? [[id, own.message]] : []
    }),
  )
}

function Failures({ errors }: { errors: readonly (Error | null)[] }) {
  return errors.map((error) =>
    error && !isAbout(error, 'reason') ? (
      <ErrorBanner key={error.message} message={sentenceOf(error)} />
    ) : null,
  )
}

/** The settings can get another scale of marks after the parts were saved. */
function Misfit({ scheme }: { scheme: MarkScheme }) {
  const misfit = scaleFault(scheme.scale, useSettings().marking)
  return misfit === undefined ? null : (
    <p className="text-sm font-medium text-warning">
      The parts give no marks, because their scale doesn’t fit the marks of the settings: {misfit}
    </p>
  )
}

function WithoutParts({ item, state }: { item: MarkItem; state: MarkState }) {
  const isWithout = state.kind === 'saved' && isNumber(item) && item.parts === null
  return isWithout ? <span className="text-muted"> · without parts</span> : null
}

const lettersOfAbsence = ['DRP', 'FA'] as const

/** Who missed too many days may be dropped: the office types it by a press, or leaves the mark. */
function OverLimits({
  item,
  state,
  onType,
}: {
  item: MarkItem
  state: MarkState
  onType: (text: string) => void
}) {
  if (state.kind !== 'saved' || item.outcome === 'dropped') return null
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="font-medium text-warning">Over the limit of absences</span>
      {lettersOfAbsence.map((letters) => (
        <SmallButton
          key={letters}
          aria-label={`Fill in ${letters} for ${studentName(item.student)}`}
          onClick={() => onType(letters)}
        >
          {letters}
        </SmallButton>
      ))}
    </span>
  )
}

function Pasted({ column, items }: { column: PastedColumn; items: readonly MarkItem[] }) {
  const { marks, count, unreadable, first, hasHeading } = column
  const from = items[first]
  const beyond = marks.length - (items.length - first)
  return (
    <PastedText {...{ count, unreadable, beyond, hasHeading }} noun="mark" beyondNoun="line">
      {from &&
        `They fill down from ${studentName(from.student)}. Where the column has no mark, the row stays as it is.`}
    </PastedText>
  )
}
