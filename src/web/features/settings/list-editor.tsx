import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import { useId } from 'react'
import { Button } from '#web/components/button.tsx'
import { FieldError } from '#web/components/field.tsx'
import { useFocusAfterRender } from '#web/lib/focus-after-render.ts'
import { lengthHint } from '#web/lib/length-hint.ts'
import { EntryButtons } from './entry-buttons.tsx'

interface ListEditorProps {
  /** The setting; the errors of its entries are at 'courses.2'. */
  path: string
  /** What one entry is called: 'Course'. */
  noun: string
  items: readonly string[]
  onChange: (items: string[]) => void
  errorOf: (path: string) => string | undefined
  /** What a new entry starts with. */
  suggestion?: string
  /** Past how many letters an entry's length is told; without it, never. */
  mostLetters?: number
}

/** A list of short texts in an order: each can be changed, moved and removed, and one added at the end. */
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
            // Entries have no identity but their place; the inputs hold nothing of their own.
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
              {error !== undefined && <FieldError id={`${inputId(index)}-error`}>{error}</FieldError>}
              {length !== undefined && (
                <p id={`${inputId(index)}-length`} className="text-sm text-muted">
                  {length}
                </p>
              )}
            </li>
          )
        })}
      </ol>
      {ofWhole !== undefined && <FieldError id={`${id}-error`}>{ofWhole}</FieldError>}
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
