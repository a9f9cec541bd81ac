import { Plus } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from '#web/components/button.tsx'
import { FieldError } from '#web/components/field.tsx'
import { useFocusAfterRender } from '#web/lib/focus-after-render.ts'
import { EntryButtons } from './entry-buttons.tsx'

interface EntriesEditorProps<Entry> {
  /** What one entry is called: 'Testimonial'. */
  noun: string
  entries: readonly Entry[]
  onChange: (entries: Entry[]) => void
  /** What a new entry starts with. */
  blank: Entry
  /** The id of an entry's first field: that of a new one gets the focus. */
  firstField: (index: number) => string
  max: number
  /** What is wrong with the list as a whole. */
  error: string | undefined
  /** The fields of an entry. */
  children: (entry: Entry, index: number, change: (edits: Partial<Entry>) => void) => ReactNode
}

/** A list of entries of several fields in an order: each can be changed, moved and removed, and one added. */
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
            // Entries have no identity but their place; the fields hold nothing of their own.
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
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
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
