import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button, IconButton } from '#web/components/button.tsx'
import { FieldErrorText } from '#web/components/field.tsx'
import { useFocusAfterRender } from '#web/lib/focus.ts'
import { lengthHint } from '#web/lib/number-texts.ts'

interface EntriesEditorProps<Entry> {
  noun: string
  entries: readonly Entry[]
  onChange: (entries: Entry[]) => void
  blank: Entry
  firstField: (index: number) => string
  max: number
  error: string | undefined
  children: (entry: Entry, index: number, change: (edits: Partial<Entry>) => void) => ReactNode
}

export function EntriesEditor<Entry>({
  noun,
  entries,
  onChange,
  blank,
  firstField,
  max,
  error,
  children,
}: EntriesEditorProps<Entry>) {
  const id = useId()
  const focusNext = useFocusAfterRender()
  const last = entries.length - 1

  function move(index: number, step: 1 | -1) {
    const moved = [...entries]
    moved.splice(index + step, 0, ...moved.splice(index, 1))
    onChange(moved)
    const [wanted, other] = step === 1 ? ['down', 'up'] : ['up', 'down']
    focusNext(`${id}-${wanted}-${index + step}`, `${id}-${other}-${index + step}`)
  }

  return (
    <div>
      <ol className="flex flex-col gap-3">
        {entries.map((entry, index) => {
          const name = `${noun} ${index + 1}`
          return (
            // Entries are identified by their index; the fields have no state.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={index}>
              <fieldset className="rounded-box border p-3">
                <legend className="sr-only">{name}</legend>
                <div className="flex items-center justify-between gap-2">
                  <span aria-hidden="true" className="text-sm font-semibold text-muted">
                    {name}
                  </span>
                  <span className="flex gap-1">
                    <EntryButtons
                      id={id}
                      index={index}
                      last={last}
                      name={name}
                      onMove={(step) => move(index, step)}
                      onRemove={() => {
                        onChange(entries.toSpliced(index, 1))
                        focusNext(`${id}-remove-${Math.min(index, last - 1)}`, `${id}-add`)
                      }}
                    />
                  </span>
                </div>
                <div className="mt-1 flex flex-col gap-3">
                  {children(entry, index, (edits) => onChange(entries.with(index, { ...entry, ...edits })))}
                </div>
              </fieldset>
            </li>
          )
        })}
      </ol>
      {error !== undefined && <FieldErrorText id={`${id}-error`}>{error}</FieldErrorText>}
      <Button
        id={`${id}-add`}
        variant="outline"
        size="sm"
        className="mt-2"
        disabled={entries.length >= max}
        icon={<Plus aria-hidden="true" className="size-4" />}
        onClick={() => {
          onChange([...entries, blank])
          focusNext(firstField(entries.length))
        }}
      >
        Add a {noun.toLowerCase()}
      </Button>
    </div>
  )
}

interface EntryButtonsProps {
  id: string
  index: number
  last: number
  name: string
  onMove: (step: 1 | -1) => void
  onRemove: () => void
}

function EntryButtons({ id, index, last, name, onMove, onRemove }: EntryButtonsProps) {
  return (
    <>
      <IconButton
        id={`${id}-up-${index}`}
        label={`Move ${name} up`}
        className="max-md:size-11"
        disabled={index === 0}
        onClick={() => onMove(-1)}
      >
        <ArrowUp aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton
        id={`${id}-down-${index}`}
        label={`Move ${name} down`}
        className="max-md:size-11"
        disabled={index === last}
        onClick={() => onMove(1)}
      >
        <ArrowDown aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton
        id={`${id}-remove-${index}`}
        label={`Remove ${name}`}
        className="max-md:size-11"
        onClick={onRemove}
      >
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </>
  )
}

interface ListEditorProps {
  path: string
  noun: string
  items: readonly string[]
  onChange: (items: string[]) => void
  errorOf: (path: string) => string | undefined
  suggestion?: string
  mostLetters?: number
}

export function ListEditor({
  path,
  noun,
  items,
  onChange,
  errorOf,
  suggestion = '',
  mostLetters,
}: ListEditorProps) {
  const id = useId()
  const focusNext = useFocusAfterRender()
  const ofWhole = errorOf(path)
  const inputId = (index: number) => `${id}-${index}`

  function move(index: number, step: 1 | -1) {
    const moved = [...items]
    moved.splice(index + step, 0, ...moved.splice(index, 1))
    onChange(moved)
    focusNext(`${id}-${step === 1 ? 'down' : 'up'}-${index + step}`, inputId(index + step))
  }

  return (
    <div>
      <ol className="flex flex-col gap-2">
        {items.map((item, index) => {
          const error = errorOf(`${path}.${index}`)
          const length = mostLetters === undefined ? undefined : lengthHint(item, mostLetters)
          const name = item.trim() || `${noun} ${index + 1}`
          return (
            // Entries are identified by their index; the inputs have no state.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={index} className="flex flex-col gap-1">
              <div className="flex items-center gap-1">
                <input
                  id={inputId(index)}
                  type="text"
                  aria-label={`${noun} ${index + 1}`}
                  aria-invalid={error !== undefined}
                  aria-describedby={
                    clsx(error && `${inputId(index)}-error`, length && `${inputId(index)}-length`) ||
                    undefined
                  }
                  value={item}
                  autoComplete="off"
                  onChange={({ target }) => onChange(items.with(index, target.value))}
                  className="control min-h-9 text-sm max-md:min-h-11"
                />
                <EntryButtons
                  id={id}
                  index={index}
                  last={items.length - 1}
                  name={name}
                  onMove={(step) => move(index, step)}
                  onRemove={() => {
                    onChange(items.toSpliced(index, 1))
                    focusNext(`${id}-remove-${Math.min(index, items.length - 2)}`, `${id}-add`)
                  }}
                />
              </div>
              {error !== undefined && <FieldErrorText id={`${inputId(index)}-error`}>{error}</FieldErrorText>}
              {length !== undefined && (
                <p id={`${inputId(index)}-length`} className="text-sm text-muted">
                  {length}
                </p>
              )}
            </li>
          )
        })}
      </ol>
      {ofWhole !== undefined && <FieldErrorText id={`${id}-error`}>{ofWhole}</FieldErrorText>}
      <Button
        id={`${id}-add`}
        variant="outline"
        size="sm"
        className="mt-2"
        icon={<Plus aria-hidden="true" className="size-4" />}
        onClick={() => {
          onChange([...items, suggestion])
          focusNext(inputId(items.length))
        }}
      >
        {suggestion === '' ? `Add a ${noun.toLowerCase()}` : `Add ${suggestion}`}
      </Button>
    </div>
  )
}
