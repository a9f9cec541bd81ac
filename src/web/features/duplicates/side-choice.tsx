import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { type Side, sides } from './merge-choices.ts'

interface SideChoiceProps {
  legend: string
  name: string
  chosen: Side
  onChoose: (side: Side) => void
  /** What each side says. */
  children: (side: Side) => ReactNode
}

/** Two answers beside each other, also on a phone, so that the eye compares them line by line. */
export function SideChoice({ legend, name, chosen, onChoose, children }: SideChoiceProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-semibold">{legend}</legend>
      <div className="grid grid-cols-2 gap-2">
        {sides.map((side) => (
          <label
            key={side}
            className={clsx(
              'flex min-h-11 min-w-0 cursor-pointer items-start gap-2 rounded-box border border-edge px-2.5 py-2 text-sm',
              'has-checked:border-primary has-checked:bg-primary-soft',
            )}
          >
            <input
              type="radio"
              name={name}
              value={side}
              checked={chosen === side}
              onChange={() => onChoose(side)}
              className="mt-0.5 size-4.5 shrink-0 accent-primary"
            />
            <span className="min-w-0">{children(side)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
