import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import type { ImportDetails } from '#shared/imports/import-response.ts'
import { marksMessages, mostInReason } from '#shared/terms/marks.ts'
import { Button, SmallButton, SmallLink } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextField } from '#web/components/field.tsx'
import { Hint } from '#web/components/hint.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, slowApi } from '#web/lib/api.ts'
import { isAbout } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { failureOf } from '#web/lib/query.ts'
import { termsQuery } from '#web/lib/terms.ts'
import { FoundRows, RefusedButton, RowTiles, rowWords, useSettled } from './check-step.tsx'
import { DoneFrame } from './done-frame.tsx'
import { type ImportAction, importPath, listsPath, listTexts, useImportRows } from './imports-data.ts'
import { ListRow } from './list-row.tsx'

const shownStates = ['ready', 'problem', 'unmatched', 'differs', 'duplicate', 'unchanged', 'skipped'] as const

interface ListStepProps {
  details: ImportDetails
  action: ImportAction
}

/** The rows of a list, before and after it is applied. */
export function ListStep({ details, action }: ListStepProps) {
  const found = useImportRows(details)
  const { title, status, settled } = useSettled()
  return (
    <div className="flex flex-col gap-4">
      {details.state === 'checked' ? (
        <ToApply details={details} action={action} />
      ) : (
        <Applied details={details} action={action} />
      )}
      {details.hasRows && (
        <>
          <RowTiles
            details={details}
            states={shownStates}
            selected={found.filter}
            className="sm:grid-cols-4 xl:grid-cols-7"
          />
          <h2 ref={title} tabIndex={-1} className="text-lg font-semibold outline-hidden">
            {rowWords[found.filter].title}
          </h2>
          {status}
          <FoundRows
            details={details}
            found={found}
            className="divide-y divide-line rounded-box border bg-card shadow-card"
          >
            {(row) => (
              <ListRow key={row.number} row={row} details={details} action={action} onSettled={settled} />
            )}
          </FoundRows>
        </>
      )}
    </div>
  )
}

function ToApply({ details, action }: ListStepProps) {
  const { id, counts, purpose, termId } = details
  const isOfMarks = purpose === 'marks'
  // The stored one, after the list could not be applied.
  const [typed, setTyped] = useState(details.reason)
  const field = useRef<HTMLInputElement>(null)
  const terms = useQuery({ ...termsQuery, enabled: isOfMarks })
  const term = terms.data?.find((one) => one.id === termId)
  const failure = isOfMarks && failureOf(terms)
  const needsReason = isOfMarks && term?.state === 'closed'
  const canApply = counts.ready > 0 && (!isOfMarks || terms.data !== undefined) && !action.isPending
  const apply = {
    whatFailed: 'Failed to apply the list',
    send: () =>
      api.imports[':id'].run
        .$post({ param: { id }, json: { reason: needsReason ? typed : '' } })
        .catch((error: unknown) => {
          if (isAbout(error, 'reason')) field.current?.focus()
          throw error
        }),
  }
  return (
    <section
      aria-label="Summary of the list"
      className="flex flex-wrap items-center justify-between gap-4 rounded-box border bg-card p-4 shadow-card"
    >
      <div>
        <p className="font-semibold">{listTexts(details, counts.ready).toApply}</p>
        <Unanswered details={details} />
        <Others details={details} />
        <Notes notes={details.notes} />
      </div>
      {failure && (
        <ErrorBanner message={`Failed to load the terms: ${failure}`} onRetry={() => void terms.refetch()} />
      )}
      <div className="flex flex-wrap items-end gap-2">
        {needsReason && (
          <TextField
            name="reason"
            label="Reason"
            hint="The term is closed."
            density="compact"
            className="w-80 max-w-full"
            required
            maxLength={mostInReason}
            ref={field}
            error={action.error && isAbout(action.error, 'reason') ? marksMessages.reason : undefined}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
        <SmallLink to={importPath(details, { step: 'columns' })}>Change columns</SmallLink>
        <RestButton details={details} action={action} />
        <Button size="sm" aria-disabled={!canApply} onClick={() => canApply && action.run(apply)}>
          Apply
        </Button>
      </div>
    </section>
  )
}

/** Rows are answered before the list is applied; a second upload of it takes in what was left out. */
function Unanswered({
  details: { counts, state, purpose, termId, paperId },
}: Pick<ListStepProps, 'details'>) {
  const left = counts.problem + counts.differs + counts.duplicate
  if (left === 0) return null
  const rows = countOf(left, 'row')
  if (state === 'checked') {
    return (
      <p className="text-sm text-warning">
        {rows} without an answer will be left out. Answer {left === 1 ? 'it' : 'them'} here before you apply.
      </p>
    )
  }
  return (
    <Hint>
      {rows} without an answer {left === 1 ? 'was' : 'were'} left out. To answer {left === 1 ? 'it' : 'them'},{' '}
      <Link
        to={paperId ? tabPath('papers', { paper: paperId }) : listsPath(termId ?? '', purpose)}
        className="py-1 font-semibold text-primary underline underline-offset-2"
      >
        upload the list again
      </Link>
      : what it already changed stays as it is.
    </Hint>
  )
}

function RestButton({ details: { id, counts }, action }: ListStepProps) {
  const rest = counts.problem + counts.unmatched + counts.differs + counts.duplicate + counts.skipped
  return rest > 0 && <RefusedButton id={id} action={action} label="Download the other rows" />
}

/** The notes about the whole file. */
function Notes({ notes }: Pick<ImportDetails, 'notes'>) {
  return notes.map((note) => <Hint key={note}>{note}</Hint>)
}

/** How many students are in the term, but not on the list. */
function Others({ details: { others, termId } }: Pick<ListStepProps, 'details'>) {
  if (!others || !termId) return null
  return (
    <>
      {others.missing > 0 && (
        <Hint>
          Ours, not theirs: {countOf(others.missing, 'student')} of the term, in all components and levels,{' '}
          {others.missing === 1 ? 'is' : 'are'} neither on this list nor official.{' '}
          <Link
            to={tabPath('terms', { pane: 'students', term: termId, missing: 'official' })}
            className="py-1 font-semibold text-primary underline underline-offset-2"
          >
            Who isn't official
          </Link>
          , one component and level at a time.
        </Hint>
      )}
      {others.gone > 0 && (
        <Hint>
          {figureText(others.gone)} whom an earlier list had {others.gone === 1 ? 'is' : 'are'} not on this
          one. They stay official.
        </Hint>
      )}
    </>
  )
}

function Applied({ details, action }: ListStepProps) {
  const { id, state, fileName, importedCount, importedAt, undoneAt, hasRows, termId } = details
  const [asksUndo, setAsksUndo] = useState(false)
  const texts = useInstantTexts()
  const isUndone = state === 'undone'
  const { applied, effect } = listTexts(details, importedCount)
  const undo = {
    whatFailed: 'Failed to undo the list',
    async send() {
      await slowApi.imports[':id'].undo.$post({ param: { id }, json: {} }).finally(() => setAsksUndo(false))
      showToast('success', 'List undone.')
    },
  }
  return (
    <DoneFrame
      isUndone={isUndone}
      title={isUndone ? 'The list was undone.' : applied}
      notes={
        <>
          {isUndone && undoneAt ? `Undone ${texts.momentOf(undoneAt)}. ` : ''}
          {importedAt && `Applied ${texts.momentOf(importedAt)}.`}
        </>
      }
      details={
        <>
          {!isUndone && <Unanswered details={details} />}
          <Others details={details} />
          <Notes notes={details.notes} />
        </>
      }
    >
      {termId && <SmallLink to={tabPath('terms', { term: termId })}>Go to the term</SmallLink>}
      {hasRows && <RestButton details={details} action={action} />}
      {hasRows &&
        (isUndone ? (
          <SmallLink to={importPath(details, { step: 'columns' })}>Check rows again</SmallLink>
        ) : (
          <SmallButton onClick={() => setAsksUndo(true)}>Undo list</SmallButton>
        ))}
      <QuestionModal
        title="Undo list"
        thing={asksUndo || null}
        isBusy={action.isPending}
        words={() => ({ confirm: 'Undo list' })}
        onConfirm={() => action.run(undo)}
        onClose={() => setAsksUndo(false)}
      >
        <p>
          Take back {effect} by <strong className="wrap-anywhere">{fileName}</strong>? Other changes stay.
        </p>
      </QuestionModal>
    </DoneFrame>
  )
}
