import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { ImportDetails, ImportMapping, ReadingChoices } from '#shared/imports/import-response.ts'
import {
  type DateOrder,
  dateFields,
  fieldsOfImport,
  type ImportField,
  type ImportPurpose,
  importFieldLabel,
  importSentences,
  joinedFields,
  missingColumn,
  requiredImportFields,
  type UpdateKey,
  updateKeyWords,
} from '#shared/imports/imports.ts'
import type { FieldError } from '#shared/problem.ts'
import { termLabel } from '#shared/terms/terms.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button, ButtonLink, SmallButton, SmallLink } from '#web/components/button.tsx'
import { Part } from '#web/components/card.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { FieldErrorText, SelectField } from '#web/components/field.tsx'
import { Form, useEditForm } from '#web/components/form.tsx'
import { Hint } from '#web/components/hint.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { ReadingNotes } from '#web/components/reading-notes.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, slowApi } from '#web/lib/api.ts'
import { failureText, isAbout } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { optionsOf } from '#web/lib/options.ts'
import { CheckStep, ImportFieldControl, RefusedButton } from './check-step.tsx'
import { DoneFrame } from './done-frame.tsx'
import {
  type ImportAction,
  importKey,
  importPath,
  receivedTexts,
  resultText,
  useImportAction,
  useTermOf,
} from './imports-data.ts'
import { ListStep } from './list-step.tsx'

export function OpenImport({ details, atColumns }: { details: ImportDetails; atColumns: boolean }) {
  const { state } = details
  const action = useImportAction()
  const texts = useInstantTexts()
  const term = useTermOf(details)
  const top = useRef<HTMLParagraphElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each step, and only then
  useEffect(() => {
    // The pressed button is removed with its step: focuses the top of the next step.
    if (document.activeElement === document.body) top.current?.focus()
  }, [state, atColumns])
  const isAtColumns = state === 'uploaded' || (atColumns && state !== 'importing' && state !== 'imported')
  return (
    <div className="flex flex-col gap-5">
      <Hint ref={top} tabIndex={-1} className="outline-hidden">
        <strong className="font-semibold wrap-anywhere text-fg">{details.fileName}</strong>
        {term && ` · ${termLabel(term)}`}
        {receivedTexts(details).map((text) => ` · ${text}`)}
        {` · ${countOf(details.rowCount, 'row')} · uploaded ${texts.momentOf(details.createdAt)}`}
      </Hint>
      <Failed details={details} action={action} />
      {isAtColumns ? (
        <>
          <HowRead details={details} action={action} />
          {/* Read another way, the file may have other columns. */}
          <ColumnsStep key={JSON.stringify(details.readingNotes)} details={details} />
        </>
      ) : details.progress ? (
        <Working details={details} {...details.progress} />
      ) : details.purpose !== 'students' ? (
        <ListStep details={details} action={action} />
      ) : state === 'checked' ? (
        <CheckStep details={details} action={action} />
      ) : (
        <DoneStep details={details} action={action} />
      )}
    </div>
  )
}

function HowRead({
  details: { id, readingNotes },
  action,
}: {
  details: ImportDetails
  action: ImportAction
}) {
  const client = useQueryClient()
  if (readingNotes.length === 0) return null
  // A press of a former note would take the last choice back: the new notes are shown before the next press.
  async function readAgain(choices: ReadingChoices) {
    const read = await callApi(slowApi.imports[':id'].reading.$put({ param: { id }, json: choices }))
    client.setQueryData(importKey(id), read)
  }
  return (
    <Part title="How the file was read">
      <ReadingNotes
        notes={readingNotes}
        isBusy={action.isPending}
        onPress={(choices) =>
          action.run({ whatFailed: 'Failed to read the file again', send: () => readAgain(choices) })
        }
      />
    </Part>
  )
}

function Failed({ details: { failure }, action }: { details: ImportDetails; action: ImportAction }) {
  // Said at its field.
  if (isAbout(action.error, 'reason')) return null
  if (action.error) {
    const message = failureText(action.variables.whatFailed, action.error)
    return <ErrorBanner message={message} onDismiss={action.reset} />
  }
  return failure && <ErrorBanner message={failure} />
}

interface WorkingProps {
  details: ImportDetails
  done: number
  total: number
}

function Working({ details: { state, purpose, updateBy }, done, total }: WorkingProps) {
  const doing = purpose === 'students' ? (updateBy ? 'Updating records' : 'Importing') : 'Applying the list'
  const label = state === 'checking' ? 'Checking rows' : doing
  return (
    <section aria-labelledby="working-title" className="rounded-box border bg-card p-5 shadow-card">
      <h2 id="working-title" className="sr-only">
        {label}
      </h2>
      <ProgressBar
        label={done === total && total > 0 ? 'Nearly done' : label}
        part={total === 0 ? null : done / total}
        text={`${figureText(done)} of ${countOf(total, 'row')}`}
      />
      <Hint className="mt-3">You can leave this page. The import continues.</Hint>
    </section>
  )
}

function DoneStep({ details, action }: { details: ImportDetails; action: ImportAction }) {
  const { id, state, updateBy, counts, importedCount, importedAt, undoneAt, hasRows, kept, moved } = details
  const canUndo = importedCount > 0 && (!updateBy || hasRows)
  const [asksUndo, setAsksUndo] = useState(false)
  const texts = useInstantTexts()
  const left = counts.problem + counts.duplicate + counts.skipped
  const isUndone = state === 'undone'
  return (
    <DoneFrame
      isUndone={isUndone}
      title={doneTitle(details)}
      notes={
        <>
          {isUndone && undoneAt ? `Undone ${texts.momentOf(undoneAt)}. ` : ''}
          {importedAt && `${updateBy ? 'Updated' : 'Imported'} ${texts.momentOf(importedAt)}.`}
          {left > 0 && ` ${countOf(left, 'row')} skipped.`}
          {isUndone &&
            kept > 0 &&
            ` ${countOf(kept, 'record')} kept, of students in a term or with a credit.`}
          {moved > 0 && ` ${movedSentence(moved, isUndone)}`}
        </>
      }
    >
      {!isUndone && (
        <ButtonLink size="sm" to={tabPath('students')}>
          Go to students
        </ButtonLink>
      )}
      {left > 0 && hasRows && <RefusedButton id={id} action={action} />}
      {isUndone
        ? hasRows && <SmallLink to={importPath(details, { step: 'columns' })}>Check rows again</SmallLink>
        : canUndo && <SmallButton onClick={() => setAsksUndo(true)}>Undo import</SmallButton>}
      <SmallLink to={tabPath('import')}>Import another file</SmallLink>
      <UndoModal open={asksUndo} details={details} action={action} onClose={() => setAsksUndo(false)} />
    </DoneFrame>
  )
}

/** Records that an undo removes or restores, or did. */
function undoableCount({ importedCount, deletedSince, kept }: ImportDetails): number {
  return importedCount - deletedSince - kept
}

function doneTitle(details: ImportDetails): string {
  const { noun, done } = resultText(details)
  const records = countOf(undoableCount(details), 'record')
  if (details.state !== 'undone') return `${countOf(details.importedCount, noun)} ${done}.`
  return details.updateBy
    ? `Import undone: the old values of ${records} were restored.`
    : `Import undone: ${records} removed.`
}

function movedSentence(moved: number, isUndone: boolean): string {
  const enrollments = countOf(moved, 'enrollment')
  return isUndone
    ? `${enrollments} did not get their section back.`
    : `${enrollments} moved to the new component, without a section.`
}

interface UndoModalProps {
  open: boolean
  details: ImportDetails
  action: ImportAction
  onClose: () => void
}

function UndoModal({ open, details, action, onClose }: UndoModalProps) {
  const { id, fileName, changedSince, deletedSince, kept, updateBy } = details
  const count = undoableCount(details)
  // Updated records are restored all or none, and never over newer values.
  const isImpossible = (updateBy !== null && changedSince > 0) || count === 0
  const subject = (
    <>
      {countOf(count, 'record')} {updateBy ? 'updated' : 'imported'} from{' '}
      <strong className="wrap-anywhere">{fileName}</strong>
    </>
  )
  const someChanged = (words: string) =>
    changedSince === 1 ? `1 of them was ${words}` : `${figureText(changedSince)} of them were ${words}`

  const undo = {
    whatFailed: 'Failed to undo the import',
    async send() {
      const json = { evenChanged: !updateBy && changedSince > 0 }
      await slowApi.imports[':id'].undo.$post({ param: { id }, json }).finally(onClose)
      showToast('success', 'Import undone.')
    },
  }

  return (
    <QuestionModal
      title="Undo import"
      thing={open || null}
      isBusy={action.isPending}
      isPossible={!isImpossible}
      words={() => ({ confirm: `${updateBy ? 'Restore' : 'Remove'} ${countOf(count, 'record')}` })}
      onConfirm={() => action.run(undo)}
      onClose={onClose}
    >
      <p>
        {updateBy ? 'Restore the old values of the' : 'Remove the'} {subject}?
      </p>
      {changedSince > 0 && (
        <p className="mt-3 rounded-box bg-warning-soft px-3 py-2 text-sm text-warning">
          {updateBy
            ? `${someChanged('changed since')}, so the import can't be undone. The old values are in the audit trail.`
            : `${someChanged('edited or archived since')}. Those changes will be lost.`}
        </p>
      )}
      {kept > 0 && (
        <p className="mt-3">
          {kept === 1
            ? '1 student is in a term, has a credit or made a request, so the record stays.'
            : `${figureText(kept)} students are in a term, have a credit or made a request, so their records stay.`}
        </p>
      )}
      {deletedSince > 0 && (
        <p className="mt-3">
          {deletedSince === 1 ? '1 more record was' : `${figureText(deletedSince)} more records were`} deleted
          since and can't be restored.
        </p>
      )}
    </QuestionModal>
  )
}

const purposes = [
  { value: 'add', label: 'Add new students' },
  { value: 'reference', label: 'Update by reference code' },
  { value: 'studentId', label: 'Update by student ID' },
] as const

const dateOrderChoices = [
  { value: 'month-first', label: '05/13/2006' },
  { value: 'day-first', label: '13/05/2006' },
] as const

interface Chosen extends Omit<ImportMapping, 'dateOrder'> {
  // Null where dates can be read both ways: nobody has said yet.
  dateOrder: DateOrder | null
  updateBy: UpdateKey | null
  consent: boolean
}

function firstChoice({ columns, mapping, guessedDateOrder, updateBy }: ImportDetails): Chosen {
  if (mapping) return { ...mapping, updateBy, consent: false }
  const guesses = columns.map(({ guess }) => guess)
  return {
    columns: Object.fromEntries(guesses.map((guess, index) => [index, guess])),
    defaults: {},
    dateOrder: guessedDateOrder,
    // Only existing records have a reference code.
    updateBy: guesses.includes('reference') ? 'reference' : null,
    consent: false,
  }
}

/** What the chosen columns leave open. */
function gapsOf(
  { columns, defaults, updateBy }: Pick<Chosen, 'columns' | 'defaults' | 'updateBy'>,
  purpose: ImportPurpose,
) {
  const isList = purpose !== 'students'
  const fields = fieldsOfImport({ purpose, updateBy })
  const taken = new Set(Object.values(columns).filter((field) => field !== null && fields.includes(field)))
  const isGiven = (field: ImportField) =>
    taken.has(field) || (taken.has('fullName') && (field === 'lastName' || field === 'firstName'))
  const withoutColumn = updateBy || isList ? [] : requiredImportFields.filter((field) => !isGiven(field))
  return {
    fields,
    withoutColumn,
    missing: withoutColumn.filter((field) => !defaults[field]?.trim()),
    missingKey: missingKeyOf(taken, purpose, updateBy),
    hasDates: dateFields.some((field) => taken.has(field)),
  }
}

function missingKeyOf(
  taken: Pick<ReadonlySet<ImportField | null>, 'has'>,
  purpose: ImportPurpose,
  updateBy: UpdateKey | null,
): string | null {
  if (purpose !== 'students') return missingColumn(purpose, taken)
  return updateBy && !taken.has(updateBy) ? importSentences.noKey(updateBy) : null
}

function problemsOf(chosen: Chosen, purpose: ImportPurpose): FieldError[] {
  const { dateOrder, updateBy, consent } = chosen
  const problems: FieldError[] = []
  if (dateOrder === null && gapsOf(chosen, purpose).hasDates)
    problems.push({ path: 'dateOrder', message: importSentences.dateOrder })
  if (purpose === 'students' && !updateBy && !consent)
    problems.push({ path: 'consent', message: importSentences.consent })
  return problems
}

function ColumnsStep({ details }: { details: ImportDetails }) {
  const navigate = useNavigate()
  const { purpose } = details
  const isList = purpose !== 'students'
  const form = useEditForm<Chosen, unknown>({
    values: firstChoice(details),
    whatFailed: 'Failed to check the rows',
    controlId: (path) => `import-${path}`,
    problemsOf: (chosen) => problemsOf(chosen, purpose),
    send({ consent: _confirmed, dateOrder, ...chosen }) {
      const defaults = gapsOf(chosen, purpose).withoutColumn.flatMap((field) => {
        const value = chosen.defaults[field]?.trim()
        return value ? [[field, value]] : []
      })
      const json = {
        ...chosen,
        defaults: Object.fromEntries(defaults),
        ...(dateOrder === null ? {} : { dateOrder }),
      }
      return callApi(
        api.imports[':id'].mapping.$put({
          param: { id: details.id },
          json: isList || chosen.updateBy ? json : { ...json, consent: true },
        }),
      )
    },
    onSaved: () => void navigate(importPath(details), { replace: true }),
  })
  const { columns, dateOrder, updateBy } = form.values
  const { fields, withoutColumn, missing, missingKey, hasDates } = gapsOf(form.values, purpose)
  const consent = form.field('consent')
  const isSending = form.phase !== 'editing'

  // A field belongs to one column, but for an address.
  function choose(index: number, field: ImportField | null) {
    const isJoined = field !== null && joinedFields.includes(field)
    const others = Object.entries(columns).map(([key, other]) => [
      key,
      other === field && !isJoined ? null : other,
    ])
    form.set('columns', { ...Object.fromEntries(others), [index]: field })
  }

  return (
    <Form form={form} className="flex flex-col gap-5">
      {!isList && (
        <div>
          <ChoiceButtons
            legend="Purpose of this file"
            choices={purposes}
            selected={updateBy ?? 'add'}
            onSelect={(purpose) => form.set('updateBy', purpose === 'add' ? null : purpose)}
          />
          {updateBy && (
            <Hint className="mt-2">
              Each row updates the record with the same {updateKeyWords[updateBy]}. Empty cells are ignored.
              You review every old and new value before anything is saved.
            </Hint>
          )}
        </div>
      )}
      <ColumnList columns={details.columns} fields={fields} chosen={columns} onChoose={choose} />
      {hasDates && (
        <ChoiceButtons
          id="import-dateOrder"
          legend="Date format"
          error={form.field('dateOrder').error}
          choices={dateOrderChoices}
          selected={dateOrder}
          onSelect={(order) => form.set('dateOrder', order)}
        />
      )}
      {withoutColumn.length > 0 && (
        <fieldset className="rounded-box border bg-card p-4 shadow-card">
          <legend className="px-1 font-semibold">Fill for all rows</legend>
          <Hint className="mb-3">
            These required fields have no column. Choose a column above, or enter one value for all rows.
          </Hint>
          <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {withoutColumn.map((field) => (
              <ImportFieldControl
                key={field}
                {...form.form.register(`defaults.${field}`)}
                field={field}
                id={`default-${field}`}
                choices={details.choices}
              />
            ))}
          </div>
        </fieldset>
      )}
      {missing.length > 0 && (
        <p role="status" className="rounded-box bg-warning-soft px-4 py-3 text-sm text-warning">
          <strong className="font-semibold">Still missing: </strong>
          {missing.map(importFieldLabel).join(', ')}. Required for every row.
        </p>
      )}
      {missingKey && (
        <p role="status" className="rounded-box bg-warning-soft px-4 py-3 text-sm text-warning">
          {missingKey}
        </p>
      )}
      {!isList && !updateBy && (
        <div>
          <label className="flex min-h-11 items-start gap-3 text-sm">
            <input
              {...form.form.register('consent')}
              type="checkbox"
              id="import-consent"
              className="mt-0.5 size-5 shrink-0 accent-primary"
              aria-invalid={consent.error !== undefined}
              aria-describedby={consent.error && 'import-consent-error'}
            />
            <span>
              I confirm that these students signed a paper consent to the NSTP office collecting and using
              their personal information (Republic Act 10173). This is noted in their records.
            </span>
          </label>
          {consent.error && <FieldErrorText id="import-consent-error">{consent.error}</FieldErrorText>}
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={isSending || missingKey !== null}>
          {isSending ? 'Starting the check…' : 'Check the rows'}
        </Button>
      </div>
    </Form>
  )
}

interface ColumnListProps extends Pick<ImportDetails, 'columns'> {
  fields: readonly ImportField[]
  chosen: ImportMapping['columns']
  onChoose: (index: number, field: ImportField | null) => void
}

function ColumnList({ columns, fields, chosen, onChoose }: ColumnListProps) {
  const options = optionsOf(fields, importFieldLabel)
  return (
    <Part title="Match columns">
      <ul className="divide-y divide-line rounded-box border bg-card shadow-card">
        {columns.map((column, index) => {
          const choice = chosen[index] ?? null
          const field = choice !== null && fields.includes(choice) ? choice : null
          const name = column.header || `Column ${index + 1}`
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place; headings may be equal
              key={index}
              className="grid items-center gap-x-4 gap-y-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,18rem)]"
            >
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
                  {name}
                  {field !== null && field === column.guess && <Badge tone="info">Auto-matched</Badge>}
                </p>
                <Hint className="line-clamp-2 wrap-anywhere">
                  {column.samples.length > 0 ? column.samples.join(' · ') : 'Empty in the first rows'}
                </Hint>
              </div>
              <SelectField
                id={`column-${index}`}
                name={`column-${index}`}
                label={`Field of ${name}`}
                className="[&_label]:sr-only"
                options={options}
                placeholder="Not imported"
                value={field ?? ''}
                onChange={({ target }) =>
                  onChoose(index, fields.find((name) => name === target.value) ?? null)
                }
              />
            </li>
          )
        })}
      </ul>
    </Part>
  )
}
