import { clsx } from 'clsx'
import { type Ref, useId } from 'react'
import { fieldDefinition, type StudentField } from '#shared/student-fields.ts'
import { FieldError } from '#web/components/field.tsx'
import { dateOf } from '#web/lib/calendar-texts.ts'
import type { EditValues, FieldDifference } from './edit-conflict.ts'
import { orMissing } from './student-texts.ts'
import type { EditConflict } from './use-edit.ts'

interface ConflictChoicesProps {
  conflict: EditConflict
  /** What the form shows now. */
  values: EditValues
  onTake: (field: StudentField, value: string) => void
  ref: Ref<HTMLElement>
}

/** What somebody else changed since the form was opened, and the choice for each field. */
export function ConflictChoices({ conflict, values, onTake, ref }: ConflictChoicesProps) {
  const { differences, undecided, isPressing } = conflict
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label="Another change of this record"
      className="rounded-box border border-warning bg-warning-soft p-4 outline-hidden"
    >
      <h3 className="font-semibold text-warning">This record was changed while you were editing it.</h3>
      <p className="mt-1 text-sm">
        Nothing is lost and nothing is saved yet. What only one of you changed is put together below; where
        you both changed a field, please choose. Then save again.
      </p>
      <div className="mt-3 grid gap-3">
        {differences.map((difference) => (
          <Difference
            key={difference.field}
            difference={difference}
            value={values[difference.field]}
            isUndecided={undecided.has(difference.field)}
            isPressing={isPressing}
            onTake={(value) => onTake(difference.field, value)}
          />
        ))}
      </div>
    </section>
  )
}

interface DifferenceProps {
  difference: FieldDifference
  value: string
  isUndecided: boolean
  isPressing: boolean
  onTake: (value: string) => void
}

function Difference({ difference, value, isUndecided, isPressing, onTake }: DifferenceProps) {
  const id = useId()
  const { field, was, theirs, mine } = difference
  const textOf = (text: string) => orMissing(field === 'dateOfBirth' ? dateOf(text) : text)
  const isMissing = isUndecided && isPressing
  const isMineTouched = mine.trim() !== was.trim()
  const sides = [
    { side: 'theirs', label: 'The other change', text: theirs },
    { side: 'mine', label: isMineTouched ? 'What you typed' : 'As it was', text: mine },
  ]
  return (
    <fieldset
      aria-describedby={isMissing ? `${id}-error` : undefined}
      className="min-w-0 rounded-box border bg-card p-3 text-sm"
    >
      <legend className="float-left mb-2 w-full font-semibold">
        {fieldDefinition(field).label}{' '}
        <span className="font-normal wrap-anywhere text-muted">was: {textOf(was)}</span>
      </legend>
      <div className="clear-both grid gap-2 sm:grid-cols-2">
        {sides.map(({ side, label, text }) => (
          <label
            key={side}
            className={clsx(
              'flex min-h-11 items-start gap-2.5 rounded-box border border-edge px-3 py-2',
              'has-checked:border-primary has-checked:bg-primary-soft',
            )}
          >
            <input
              type="radio"
              name={`conflict-${field}`}
              value={side}
              checked={!isUndecided && value === text}
              onChange={() => onTake(text)}
              className="mt-0.5 size-4.5 shrink-0 accent-primary"
            />
            <span className="min-w-0">
              <span className="block text-xs font-medium text-muted">{label}</span>
              <span className="block wrap-anywhere whitespace-pre-line">{textOf(text)}</span>
            </span>
          </label>
        ))}
      </div>
      {isMissing && (
        <div className="mt-2">
          <FieldError id={`${id}-error`}>Please choose which one to keep.</FieldError>
        </div>
      )}
    </fieldset>
  )
}
