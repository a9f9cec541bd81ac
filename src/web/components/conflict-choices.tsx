import { useId } from 'react'
import { FieldErrorText } from './field.tsx'

export interface DifferingField {
  name: string
  label: string
  /** In words: as the form was opened, as stored now, and as in the form. */
  was: string
  theirs: string
  mine: string
  choice: 'theirs' | 'mine' | null
}

interface ConflictChoicesProps {
  what: string
  fields: readonly DifferingField[]
  /** Marks fields without a choice. */
  isPressing: boolean
  onChoose: (name: string, choice: 'theirs' | 'mine') => void
}

/** What another user changed while the form was open. Where only they changed it, their value is chosen. */
export function ConflictChoices({ what, fields, isPressing, onChoose }: ConflictChoicesProps) {
  return (
    <section
      id={conflictId}
      tabIndex={-1}
      aria-label="Conflicting changes"
      className="grid scroll-my-5 gap-3 rounded-box border border-warning bg-warning-soft p-4 text-sm outline-hidden"
    >
      <div>
        <h3 className="font-semibold text-warning">This {what} was changed while you were editing it.</h3>
        <p className="mt-1">
          Your changes were combined but are not saved yet. Choose a value where both of you edited the same
          field, then save again.
        </p>
      </div>
      {fields.map((field) => (
        <FieldChoice key={field.name} field={field} isPressing={isPressing} onChoose={onChoose} />
      ))}
    </section>
  )
}

export const conflictId = 'conflicting-changes'

const emptyText = 'N/A'

interface FieldChoiceProps extends Pick<ConflictChoicesProps, 'isPressing' | 'onChoose'> {
  field: DifferingField
}

function FieldChoice({ field, isPressing, onChoose }: FieldChoiceProps) {
  const id = useId()
  const { name, label, was, theirs, mine, choice } = field
  const isMissing = isPressing && choice === null
  return (
    <fieldset className="min-w-0" aria-describedby={isMissing ? `${id}-error` : undefined}>
      <legend className="font-semibold">
        {label} <span className="font-normal wrap-anywhere text-muted">was: {was || emptyText}</span>
      </legend>
      <div className="mt-1 grid gap-2 sm:grid-cols-2">
        {(
          [
            ['theirs', 'Their change', theirs],
            ['mine', mine === was ? 'Original value' : 'Your change', mine],
          ] as const
        ).map(([side, sideLabel, text]) => (
          <label
            key={side}
            className="flex min-h-11 cursor-pointer items-start gap-3 rounded-box border bg-card p-3"
          >
            <input
              type="radio"
              name={`${id}-side`}
              checked={choice === side}
              onChange={() => onChoose(name, side)}
              className="mt-0.5 size-4.5 shrink-0 accent-primary"
            />
            <span className="min-w-0">
              <span className="block text-xs font-medium text-muted">{sideLabel}</span>
              <span className="block wrap-anywhere whitespace-pre-line">{text || emptyText}</span>
            </span>
          </label>
        ))}
      </div>
      {isMissing && <FieldErrorText id={`${id}-error`}>Please choose a value.</FieldErrorText>}
    </fieldset>
  )
}
