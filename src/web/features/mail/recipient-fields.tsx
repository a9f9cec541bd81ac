import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { FileSpreadsheet } from 'lucide-react'
import { useDeferredValue, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReadingChoices } from '#shared/imports/import-response.ts'
import type { PlaceholderTexts } from '#shared/mail/mail-placeholders.ts'
import type { AudiencePreview, RecipientFile, RecipientList } from '#shared/mail/mail-response.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { archiveFilters } from '#shared/students/students.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { FieldErrorText, SelectField, TextAreaField } from '#web/components/field.tsx'
import { FileField } from '#web/components/file-field.tsx'
import type { EditForm } from '#web/components/form.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { ReadingNotes } from '#web/components/reading-notes.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { api, reading } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { optionsOf } from '#web/lib/options.ts'
import { failureOf } from '#web/lib/query.ts'
import { type Sending, sendForm } from '#web/lib/send-form.ts'
import { SendingPlan } from './batch-actions.tsx'
import { type LeftOutCounts, leftOutTexts, sourceText } from './batch-texts.ts'
import { audienceOf, type BulkValues, idOf, readList } from './bulk-data.ts'

interface RecipientFieldsProps {
  form: EditForm<BulkValues>
  choices: { courses: readonly string[]; academicYears: readonly string[] }
  audience: ReturnType<typeof useAudience>
}

const ways = [
  { value: 'students', label: 'Students' },
  { value: 'list', label: 'List' },
  { value: 'file', label: 'Spreadsheet' },
] as const

/** Input of one way is preserved while another is chosen. */
export function RecipientFields({ form, choices, audience }: RecipientFieldsProps) {
  const { values, set, errorOf } = form
  const error = errorOf('way')
  return (
    <>
      <ChoiceButtons
        id={idOf('way')}
        legend="Send to"
        choices={ways}
        selected={values.way}
        error={values.way === null ? error : undefined}
        onSelect={(way) => set('way', way)}
      />
      {values.way === 'students' && (
        <StudentRecipients form={form} choices={choices} audience={audience} error={error} />
      )}
      {values.way === 'list' && <ListRecipients form={form} error={error} />}
      {values.way === 'file' && <FileRecipients form={form} error={error} />}
    </>
  )
}

type RecipientsProps = Pick<RecipientFieldsProps, 'form'> & { error: string | undefined }

/** Parsed while the user types. */
function ListRecipients({ form: { values, set }, error }: RecipientsProps) {
  const text = useDeferredValue(values.list)
  return (
    <>
      <TextAreaField
        id={idOf('list')}
        name="list"
        label="Recipients"
        required
        density="compact"
        rows={7}
        spellCheck={false}
        autoCapitalize="none"
        className="font-normal [&_textarea]:font-mono [&_textarea]:max-md:text-base"
        placeholder={'juan@school.example\nMaria <maria@school.example>'}
        hint={
          <>
            One address per line, or separated by commas. You can add a name:{' '}
            <span className="whitespace-nowrap">Maria &lt;maria@school.example&gt;</span>. A JSON array of
            objects with <code>email</code> and <code>firstName</code> works too.
          </>
        }
        value={values.list}
        error={error}
        onChange={({ target }) => set('list', target.value)}
      />
      {text.trim() !== '' && <ListResult list={readList(text)} />}
    </>
  )
}

type StudentRecipientsProps = RecipientsProps & RecipientFieldsProps

const archiveLabels = { all: 'All Students', active: 'Active Only', archived: 'Archived Only' } as const
const archiveOptions = optionsOf(archiveFilters, archiveLabels)

function StudentRecipients({ form: { values, set }, choices, audience, error }: StudentRecipientsProps) {
  const filters = [
    { name: 'component', label: 'NSTP Component', placeholder: 'All components', options: nstpComponents },
    {
      name: 'academicYear',
      label: 'Academic Year',
      placeholder: 'All Years',
      options: choices.academicYears,
    },
    { name: 'course', label: 'Course', placeholder: 'All courses', options: choices.courses },
    { name: 'archive', label: 'Archive Status', options: archiveOptions },
  ] as const
  return (
    <>
      {values.ids ? (
        <div className="flex flex-wrap items-center gap-x-3 text-sm">
          {countOf(values.ids.length, 'selected student')}
          <Button
            id={idOf('component')}
            variant="ghost"
            size="sm"
            className="text-primary underline"
            onClick={() => set('ids', null)}
          >
            Choose by filters instead
          </Button>
          {error !== undefined && <FieldErrorText id={idOf('students-error')}>{error}</FieldErrorText>}
        </div>
      ) : (
        <div className="grid gap-3 max-md:[&_select]:min-h-11 sm:grid-cols-2">
          {filters.map(({ name, ...select }) => (
            <SelectField
              key={name}
              {...select}
              name={name}
              id={idOf(name)}
              density="compact"
              error={name === 'component' ? error : undefined}
              value={values[name]}
              onChange={({ target }) => set(name, target.value)}
            />
          ))}
        </div>
      )}
      <LoadedPart query={audience} what="the number of students" lines={1} className="h-13">
        {(counts) => <RecipientCount {...counts} />}
      </LoadedPart>
    </>
  )
}

const mostListed = 100

const positionLabels = { line: 'Line', entry: 'Entry', row: 'Row' } as const

function ListResult({ list }: { list: RecipientList }) {
  const { recipients, duplicates, invalid, problem } = list
  // Invalid JSON has no line number.
  if (problem !== '' && duplicates.length === 0 && invalid.length === 0) {
    return <p className="text-sm text-danger">{problem}</p>
  }
  return (
    <div className="flex flex-col gap-2">
      <RecipientCount count={recipients.length} duplicates={duplicates.length} invalid={invalid.length} />
      <LeftOut title={`Invalid (${figureText(invalid.length)})`} list={list} items={invalid} isOpen />
      <LeftOut title={`Duplicates (${figureText(duplicates.length)})`} list={list} items={duplicates} />
    </div>
  )
}

interface LeftOutProps {
  title: string
  list: RecipientList
  items: RecipientList['invalid']
  isOpen?: boolean
}

function LeftOut({ title, list, items, isOpen = false }: LeftOutProps) {
  if (items.length === 0) return null
  const more = items.length - mostListed
  return (
    <details open={isOpen} className="rounded-box border">
      <summary className="min-h-9 px-3 py-1.5 text-sm font-semibold max-md:min-h-11 max-md:py-2.5">
        {title}
      </summary>
      <ul className="flex max-h-60 flex-col gap-1 overflow-y-auto border-t px-3 py-2 text-sm">
        {items.slice(0, mostListed).map(({ position, text, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line may hold the same twice
          <li key={`${position}-${index}`} className="wrap-anywhere">
            <span className="text-muted">
              {positionLabels[list.positions]} {figureText(position)}:{' '}
            </span>
            <span className="font-semibold">
              <AddressText text={text} />
            </span>{' '}
            – {message}
          </li>
        ))}
        {more > 0 && <li className="text-muted">and {figureText(more)} more</li>}
      </ul>
    </details>
  )
}

function RecipientCount({ count, ...counts }: LeftOutCounts & { count: number }) {
  const leftOut = leftOutTexts(counts)
  return (
    <div className="rounded-box bg-soft px-4 py-2.5 text-sm">
      <div role="status">
        <p className="font-semibold tabular-nums">{countOf(count, 'recipient')}</p>
        {leftOut.length > 0 && <p className="text-muted tabular-nums">Excluded: {leftOut.join(' · ')}.</p>}
      </div>
      {count > 0 && (
        <p className="text-muted tabular-nums empty:hidden">
          <SendingPlan count={count} />
        </p>
      )}
    </div>
  )
}

export interface Sample extends PlaceholderTexts {
  email: string
}

interface Addressees {
  count: number | null
  sample: readonly Sample[]
}

export function addresseesOf(values: BulkValues, students: AudiencePreview | undefined): Addressees {
  if (values.way === null) return { count: null, sample: [] }
  if (values.way === 'students') return { count: students?.count ?? null, sample: students?.sample ?? [] }
  const recipients = values.way === 'list' ? readList(values.list).recipients : values.file?.list.recipients
  return { count: recipients?.length ?? 0, sample: recipients ?? [] }
}

/** 'Students: ROTC, 2026-2027, not archived'. */
export function whomText(values: BulkValues): string {
  if (values.way === 'students') {
    return sourceText(values.ids ? { kind: 'selection' } : { kind: 'students', audience: audienceOf(values) })
  }
  return values.way === 'list' ? 'Your list' : `The spreadsheet ${values.file?.source.name ?? ''}`
}

export function missingAddressees(
  values: BulkValues,
  students: Pick<UseQueryResult<AudiencePreview>, 'data' | 'error'>,
): string | null {
  const { way, ids, list, file } = values
  switch (way) {
    case null:
      return 'Choose the recipients in step 1 first.'
    case 'students':
      if (failureOf(students) !== null) return 'The students could not be counted. Please try again.'
      if (!students.data) return 'Counting students…'
      if (students.data.count > 0) return null
      return ids
        ? 'None of the selected students can get this e-mail.'
        : 'No matching students. Please change the filters.'
    case 'list':
      if (list.trim() === '') return 'Enter the recipients in step 1 first.'
      return readList(list).problem || null
    case 'file':
      return file ? file.list.problem || null : 'Choose a spreadsheet in step 1 first.'
  }
}

export function useAudience(values: BulkValues) {
  const json = audienceOf(values)
  return useQuery({
    queryKey: ['students', 'mail-audience', json],
    meta: { topics: ['mail'] },
    enabled: values.way === 'students',
    queryFn: reading(api.mail.audience.$post, { json }),
  })
}

function FileRecipients({ form: { values, set, hold }, error }: RecipientsProps) {
  const { file } = values
  const [part, setPart] = useState(0)
  const sent = useRef<Sending<RecipientFile>>(null)
  const reading = useMutation({
    networkMode: 'always',
    mutationFn({ source, choices }: ChosenFile) {
      setPart(0)
      sent.current = sendRecipients(source, choices, setPart)
      return sent.current.done
    },
    onSuccess: (list, { source }) => set('file', { source, list }),
  })
  useEffect(() => () => sent.current?.cancel(), [])
  // The former file's recipients must not be mailed meanwhile.
  const holdWhile = useEffectEvent((isReading: boolean) =>
    hold('way', isReading ? 'Please wait until the spreadsheet is read.' : null),
  )
  useEffect(() => {
    holdWhile(reading.isPending)
    return () => holdWhile(false)
  }, [reading.isPending])

  function cancel() {
    sent.current?.cancel()
    reading.reset()
  }

  return (
    <>
      <FileField
        name={idOf('file')}
        label="Spreadsheet"
        hint="Excel (.xlsx) or CSV file with one recipient per row: a column for the e-mail address and an optional one for the first name, or for names such as Cruz, Ana."
        required
        error={reading.error ? sentenceOf(reading.error) : error}
        accept=".xlsx,.csv,.tsv,.txt,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        choose={file === null ? 'Choose a spreadsheet' : 'Choose another spreadsheet'}
        icon={FileSpreadsheet}
        preview={file && <p className="min-w-0 text-sm font-semibold wrap-anywhere">{file.source.name}</p>}
        onTake={(chosen) => {
          cancel()
          reading.mutate({ source: chosen })
        }}
        onRemove={() => set('file', null)}
      />
      {reading.isPending && (
        <div className="flex flex-col gap-3 rounded-box bg-soft p-4">
          <p className="text-sm font-semibold wrap-anywhere">{reading.variables.source.name}</p>
          <ProgressBar label={part < 1 ? 'Uploading' : 'Reading rows'} part={part < 1 ? part : null} />
          <SmallButton className="self-start" onClick={cancel}>
            Cancel
          </SmallButton>
        </div>
      )}
      {file && file.list.readingNotes.length > 0 && (
        <ReadingNotes
          notes={file.list.readingNotes}
          isBusy={reading.isPending}
          onPress={(choices) => reading.mutate({ source: file.source, choices })}
        />
      )}
      {file && <ListResult list={file.list} />}
    </>
  )
}

interface ChosenFile {
  source: File
  /** How it is read, where a note on the first reading was corrected. */
  choices?: ReadingChoices
}

/** @param onProgress the uploaded fraction, 0 to 1 */
function sendRecipients(
  file: File,
  choices: ReadingChoices | undefined,
  onProgress: (part: number) => void,
): Sending<RecipientFile> {
  const body = new FormData()
  body.set('file', file)
  if (choices) body.set('reading', JSON.stringify(choices))
  return sendForm({
    method: 'POST',
    path: '/api/mail/recipients/file',
    body,
    read: (answer) => (isRecipientFile(answer) ? answer : undefined),
    onProgress,
  })
}

function isRecipientFile(answer: unknown): answer is RecipientFile {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'recipients' in answer &&
    Array.isArray(answer.recipients) &&
    'invalid' in answer &&
    'duplicates' in answer &&
    'readingNotes' in answer
  )
}
