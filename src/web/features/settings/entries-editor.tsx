import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { SemesterDefinition } from '#shared/periods.ts'
import { settingsLimits } from '#shared/settings/settings-schema.ts'
import { IconButton, SmallButton } from '#web/components/button.tsx'
import { FieldErrorText, SelectField, TextField } from '#web/components/field.tsx'
import type { EditForm } from '#web/components/form.tsx'
import { Hint } from '#web/components/hint.tsx'
import { monthOptions } from '#web/lib/birth-date.ts'
import { useFocusAfterRender } from '#web/lib/focus.ts'
import { lengthHint } from '#web/lib/number-texts.ts'
import type { EntriesSpec, FieldSpec } from './sections.ts'

interface EntryListProps<Entry> {
  form: EditForm<FieldValues>
  path: string
  max: number
  addLabel: string
  added: Entry
  /** False: the order has no meaning, and one entry must stay. */
  isOrdered?: boolean
  className: string
  /** The control that has the focus in a new entry. */
  firstField: (index: number) => string
  nameOf: (entry: Entry, index: number) => string
  children: (entry: Entry, index: number, buttons: ReactNode) => ReactNode
}

/** A list: add, remove, move, with the focus where the user goes on. */
function EntryList<Entry>(props: EntryListProps<Entry>) {
  const { form, path, max, addLabel, added, isOrdered = true, firstField, nameOf, children } = props
  const id = useId()
  const focusNext = useFocusAfterRender()
  const entries: readonly Entry[] = form.form.getValues(path)
  const error = form.errorOf(path) ?? form.errorOf(`${path}.root`)
  const last = entries.length - 1

  function move(index: number, step: 1 | -1) {
    const moved = [...entries]
    moved.splice(index + step, 0, ...moved.splice(index, 1))
    form.set(path, moved)
    const [wanted, other] = step === 1 ? ['down', 'up'] : ['up', 'down']
    focusNext(`${id}-${wanted}-${index + step}`, `${id}-${other}-${index + step}`)
  }

  const buttons = (entry: Entry, index: number) => {
    const name = nameOf(entry, index)
    return (
      <span className="flex flex-wrap gap-1">
        {isOrdered &&
          (
            [
              ['up', -1, index === 0, ArrowUp],
              ['down', 1, index === last, ArrowDown],
            ] as const
          ).map(([way, step, isDisabled, Icon]) => (
            <IconButton
              key={way}
              id={`${id}-${way}-${index}`}
              label={`Move ${name} ${way}`}
              className="max-md:size-11"
              disabled={isDisabled}
              onClick={() => move(index, step)}
              icon={Icon}
            />
          ))}
        <IconButton
          id={`${id}-remove-${index}`}
          label={`Remove ${name}`}
          className="max-md:size-11"
          disabled={!isOrdered && last === 0}
          onClick={() => {
            form.set(
              path,
              entries.filter((_, at) => at !== index),
            )
            focusNext(`${id}-remove-${Math.min(index, last - 1)}`, `${id}-add`)
          }}
          icon={X}
        />
      </span>
    )
  }

  return (
    <div>
      <ol className={props.className}>
        {entries.map((entry, index) => (
          // Entries are identified by their index; their controls have no state.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={index}>{children(entry, index, buttons(entry, index))}</li>
        ))}
      </ol>
      {error !== undefined && <FieldErrorText id={`${id}-error`}>{error}</FieldErrorText>}
      <SmallButton
        id={`${id}-add`}
        className="mt-2"
        disabled={entries.length >= max}
        icon={Plus}
        onClick={() => {
          form.set(path, [...entries, added])
          focusNext(firstField(entries.length))
        }}
      >
        {addLabel}
      </SmallButton>
    </div>
  )
}

interface EntriesEditorProps {
  form: EditForm<FieldValues>
  spec: EntriesSpec
  children: (field: FieldSpec, path: string) => ReactNode
}

export function EntriesEditor({ form, spec, children }: EntriesEditorProps) {
  const { path, noun, max, blank, fields } = spec
  const nameOf = (_entry: unknown, index: number) => `${noun} ${index + 1}`
  return (
    <EntryList
      form={form}
      path={path}
      max={max}
      addLabel={`Add a ${noun.toLowerCase()}`}
      added={blank}
      className="flex flex-col gap-3"
      firstField={(index) => `${path}.${index}.${fields[0]?.path}`}
      nameOf={nameOf}
    >
      {(entry, index, buttons) => (
        <fieldset className="rounded-box border p-3">
          <legend className="sr-only">{nameOf(entry, index)}</legend>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <span aria-hidden="true" className="text-sm font-semibold text-muted">
              {nameOf(entry, index)}
            </span>
            {buttons}
          </div>
          <div className="mt-1 flex flex-col gap-3">
            {fields.map((field) => children(field, `${path}.${index}.${field.path}`))}
          </div>
        </fieldset>
      )}
    </EntryList>
  )
}

interface ListEditorProps {
  form: EditForm<FieldValues>
  path: string
  noun: string
  max: number
  suggestion?: string
  mostLetters?: number
}

/** A list of texts. */
export function ListEditor({ form, path, noun, max, suggestion = '', mostLetters }: ListEditorProps) {
  const inputId = (index: number) => `${path}.${index}`
  return (
    <EntryList<string>
      form={form}
      path={path}
      max={max}
      addLabel={suggestion === '' ? `Add a ${noun.toLowerCase()}` : `Add ${suggestion}`}
      added={suggestion}
      className="flex flex-col gap-2"
      firstField={inputId}
      nameOf={(item, index) => item.trim() || `${noun} ${index + 1}`}
    >
      {(item, index, buttons) => {
        const id = inputId(index)
        const error = form.errorOf(id)
        const length = mostLetters === undefined ? undefined : lengthHint(item, mostLetters)
        return (
          <div className="flex flex-col gap-1">
            <div className="flex flex-wrap items-center gap-1">
              <input
                id={id}
                type="text"
                aria-label={`${noun} ${index + 1}`}
                aria-invalid={error !== undefined}
                aria-describedby={clsx(error && `${id}-error`, length && `${id}-length`) || undefined}
                value={item}
                autoComplete="off"
                onChange={({ target }) => form.set(id, target.value)}
                className="control min-h-9 min-w-0 flex-1 basis-24 text-sm max-md:min-h-11"
              />
              {buttons}
            </div>
            {error !== undefined && <FieldErrorText id={`${id}-error`}>{error}</FieldErrorText>}
            {length !== undefined && <Hint id={`${id}-length`}>{length}</Hint>}
          </div>
        )
      }}
    </EntryList>
  )
}

export function SemestersEditor({ form }: { form: EditForm<FieldValues> }) {
  const semesters: readonly SemesterDefinition[] = form.form.getValues('semesters')
  const lastMonth = semesters.at(-1)?.lastMonth ?? 0
  const nextMonth = (lastMonth % 12) + 1
  const nameOf = ({ name }: SemesterDefinition, index: number) => name.trim() || `Semester ${index + 1}`
  return (
    <EntryList<SemesterDefinition>
      form={form}
      path="semesters"
      max={settingsLimits.semesters}
      addLabel="Add a semester"
      added={{ name: '', firstMonth: nextMonth, lastMonth: nextMonth }}
      isOrdered={false}
      className="@container flex flex-col gap-4"
      firstField={(index) => `semesters.${index}.name`}
      nameOf={nameOf}
    >
      {(semester, index, buttons) => {
        const path = `semesters.${index}`
        return (
          <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-x-3 gap-y-2">
            <TextField
              name={`${path}.name`}
              label={`Semester ${index + 1}`}
              required
              density="compact"
              className="col-span-2 @max-[14rem]:col-span-3"
              hint={lengthHint(semester.name, settingsLimits.name)}
              autoComplete="off"
              value={semester.name}
              error={form.errorOf(`${path}.name`) ?? form.errorOf(path)}
              onChange={({ target }) => form.set(`${path}.name`, target.value)}
            />
            {/* Beside the name's control, whether or not it has an error. */}
            <div className="mt-6.5 @max-[14rem]:col-span-3 @max-[14rem]:mt-0">{buttons}</div>
            {(
              [
                ['firstMonth', 'From', 'first month'],
                ['lastMonth', 'To', 'last month'],
              ] as const
            ).map(([month, label, longLabel]) => (
              <SelectField
                key={month}
                name={`${path}.${month}`}
                label={label}
                aria-label={`${nameOf(semester, index)}: ${longLabel}`}
                density="compact"
                className="@max-[14rem]:col-span-3"
                options={monthOptions}
                value={String(semester[month])}
                error={form.errorOf(`${path}.${month}`)}
                onChange={({ target }) => form.set(`${path}.${month}`, Number(target.value))}
              />
            ))}
          </div>
        )
      }}
    </EntryList>
  )
}
