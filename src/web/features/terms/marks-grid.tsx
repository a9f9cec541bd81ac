import { type ClipboardEvent, useState } from 'react'
import type { Location } from 'react-router'
import { studentName } from '#shared/students/student-name.ts'
import { marksMessages, mostInReason } from '#shared/terms/marks.ts'
import type { MarkItem, MarkList } from '#shared/terms/marks-response.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { Button } from '#web/components/button.tsx'
import { DataTable } from '#web/components/data-table.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextField } from '#web/components/field.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { UnsavedGuard } from '#web/components/unsaved-prompt.tsx'
import { useAccount } from '#web/lib/account.ts'
import { callApi, slowApi } from '#web/lib/api.ts'
import { ApiProblem, isAbout, sentenceOf } from '#web/lib/api-problem.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useAction, useReadAgain } from '#web/lib/query.ts'
import { useSendingKey } from '#web/lib/sending-key.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { useBatchToast } from './batch-toast.ts'
import { MarkRow } from './mark-rows.tsx'
import { type MarksColumn, readColumn } from './marks-column.ts'
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

interface SentMark {
  id: string
  version: number
  mark: string
}

interface PastedColumn extends MarksColumn {
  /** The row in which it was pasted. */
  first: number
}

interface MarksGridProps {
  term: Term
  list: MarkList
  /** Whether an address shows this list. */
  isHere: (next: Location) => boolean
}

const heads = [
  { head: 'No.', headClassName: 'text-right max-md:hidden' },
  'Name',
  { head: 'Number', headClassName: 'max-md:hidden' },
  'Mark',
  'Remarks',
]

export function MarksGrid({ term, list: { items, leftOut }, isHere }: MarksGridProps) {
  const { can } = useAccount()
  const { marking } = useSettings()
  const [typed, setTyped] = useState<TypedMarks>(new Map())
  const [refused, setRefused] = useState<Refused>(new Map())
  const [pasted, setPasted] = useState<PastedColumn | null>(null)
  const [reason, setReason] = useState('')
  const showDone = useBatchToast()
  const readAgain = useReadAgain('terms')
  const { headerFor, forget } = useSendingKey()
  const saving = useAction({
    topics: ['terms'],
    async mutationFn(sent: readonly SentMark[]) {
      const answer = await callApi(
        slowApi.terms[':id'].marks.$put({
          param: { id: term.id },
          // Until an answer comes, also marks that are typed further on are one change with one undo.
          header: headerFor(term.id),
          json: { items: [...sent], reason },
        }),
      )
      // The saved marks are on the screen before the typed ones are forgotten.
      await readAgain()
      return answer
    },
    onSuccess({ batchId, items: saved, conflicts }, sent) {
      forget()
      setTyped((now) => withoutSaved(now, sent, new Set(saved.map(({ id }) => id))))
      setRefused(new Map())
      if (saved.length > 0) showDone(`${countOf(saved.length, 'mark')} saved`, batchId)
      if (conflicts.length > 0) {
        const which = conflicts.length === 1 ? 'it' : 'them'
        const message = `${countOf(conflicts.length, 'mark')} not saved: somebody else changed ${which} meanwhile`
        showToast('warning', message)
      }
    },
    onError: (error, sent) => setRefused(refusedMarks(error, sent)),
  })

  const rows = items.map((item) => ({ item, state: stateOf(item, typed.get(item.id), marking) }))
  const changed = rows.flatMap(({ item: { id, version }, state }): SentMark[] =>
    state.kind === 'changed' ? [{ id, version, mark: state.mark }] : [],
  )
  const countRows = (kind: MarkState['kind']) => rows.filter(({ state }) => state.kind === kind).length
  const isClosed = term.state === 'closed'
  const mayEnter = can('marks')
  const isReady = changed.length > 0 && !saving.isPending

  function type(item: MarkItem, text: string) {
    setTyped((now) => withTyped(now, item, text))
    setRefused((now) => without(now, item.id))
  }

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
      {saving.error && refused.size === 0 && !isAbout(saving.error, 'reason') && (
        <ErrorBanner message={sentenceOf(saving.error)} />
      )}
      {leftOut > 0 && (
        <p className="text-sm text-muted">
          {countOf(leftOut, 'blocked record')} {leftOut === 1 ? 'is' : 'are'} on no list.
        </p>
      )}
      <DataTable caption="Marks" busy={saving.isPending} isDense heads={heads}>
        {rows.map(({ item, state }, index) => (
          <MarkRow
            key={item.id}
            number={index + 1}
            item={item}
            text={mayEnter ? (typed.get(item.id)?.text ?? item.mark) : null}
            state={state}
            refusal={refused.get(item.id)}
            onType={(text) => type(item, text)}
            onPaste={(event) => paste(event, index)}
            onKeep={() => setTyped((now) => withKept(now, item))}
            onTake={() => setTyped((now) => without(now, item.id))}
          />
        ))}
      </DataTable>
      {mayEnter && (
        <div className="sticky bottom-0 z-10 flex flex-wrap items-end gap-3 rounded-box border border-edge bg-card p-3 shadow-card">
          {isClosed && (
            <TextField
              name="reason"
              label="Reason"
              density="compact"
              className="w-80 max-w-full"
              required
              maxLength={mostInReason}
              error={isAbout(saving.error, 'reason') ? marksMessages.reason : undefined}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
          <Button size="sm" aria-disabled={!isReady} onClick={() => isReady && saving.run(changed)}>
            {saveText(changed.length, saving.isPending)}
          </Button>
          <p role="status" className="text-sm text-muted">
            {openText(countRows('unreadable'), countRows('conflict'))}
          </p>
        </div>
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
      <UnsavedGuard isUnsaved={countRows('saved') < rows.length} staysOpen={isHere} />
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

function saveText(count: number, isSaving: boolean): string {
  if (isSaving) return 'Saving…'
  return count === 0 ? 'Save marks' : `Save ${countOf(count, 'mark')}`
}

function openText(unreadable: number, conflicts: number): string {
  return factsText(
    unreadable > 0 && `${figureText(unreadable)} can’t be read`,
    conflicts > 0 && `${figureText(conflicts)} changed by somebody else`,
  )
}

function Pasted({ column, items }: { column: PastedColumn; items: readonly MarkItem[] }) {
  const { marks, count, unreadable, first } = column
  const from = items[first]
  const beyond = marks.length - (items.length - first)
  return (
    <div className="grid gap-2">
      <p>
        {[
          countOf(count, 'mark'),
          unreadable.length > 0 && `${figureText(unreadable.length)} can’t be read: ${listText(unreadable)}`,
        ]
          .filter(Boolean)
          .join(', ')}
      </p>
      {from && (
        <p className="text-sm text-muted">
          They fill down from {studentName(from.student)}. Where the column has no mark, the row stays as it
          is.
        </p>
      )}
      {beyond > 0 && (
        <p className="text-sm text-warning">
          {countOf(beyond, 'line')} beyond the end of the list {beyond === 1 ? 'is' : 'are'} left out.
        </p>
      )}
    </div>
  )
}

const mostShown = 10

function listText(texts: readonly string[]): string {
  const first = texts.slice(0, mostShown).map((text) => text.slice(0, 20))
  return texts.length > mostShown ? `${first.join(', ')} …` : first.join(', ')
}
