import type { ReactNode } from 'react'
import { FieldErrorText } from './field.tsx'
import { Hint } from './hint.tsx'

interface CheckLineProps {
  id?: string | undefined
  name?: string
  /** A line of which only one can be checked is a radio button. */
  isOne?: boolean
  describedBy?: string
  checked: boolean
  onChange: (isChecked: boolean) => void
  children: ReactNode
}

export function CheckLine({ isOne, describedBy, onChange, children, ...input }: CheckLineProps) {
  return (
    <label className="flex min-h-11 items-center gap-2.5 text-sm">
      <input
        {...input}
        type={isOne ? 'radio' : 'checkbox'}
        className="size-4.5 shrink-0 accent-primary"
        aria-describedby={describedBy}
        onChange={({ target }) => onChange(target.checked)}
      />
      {children}
    </label>
  )
}

interface CheckListProps<Value extends string> extends Pick<CheckLineProps, 'isOne'> {
  /** The name of the value. It is the id of the first box, which has the focus after a refusal. */
  name: string
  label: string
  hint?: string
  error?: string | undefined
  offered: readonly Value[]
  /** The text of a value; by default the value itself. */
  textOf?: (value: Value) => string
  chosen: readonly Value[]
  onChoose: (chosen: Value[]) => void
  /** Shown above the boxes, such as a search. */
  children?: ReactNode
}

/** A field for some of the values that are offered. */
export function CheckList<Value extends string>(props: CheckListProps<Value>) {
  const { name, label, hint, error, isOne = false, offered, textOf, chosen, onChoose, children } = props
  return (
    <fieldset className="flex flex-wrap gap-x-6" aria-describedby={error && `${name}-error`}>
      <legend className="text-sm font-semibold">{label}</legend>
      {hint && <Hint className="w-full">{hint}</Hint>}
      {children}
      {offered.map((value, index) => (
        <CheckLine
          key={value}
          id={index === 0 ? name : undefined}
          name={name}
          isOne={isOne}
          checked={chosen.includes(value)}
          onChange={(isChecked) =>
            onChoose(offered.filter((each) => (each === value ? isChecked : !isOne && chosen.includes(each))))
          }
        >
          {textOf ? textOf(value) : value}
        </CheckLine>
      ))}
      {error !== undefined && (
        <div className="w-full">
          <FieldErrorText id={`${name}-error`}>{error}</FieldErrorText>
        </div>
      )}
    </fieldset>
  )
}
