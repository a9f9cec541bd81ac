import { clsx } from 'clsx'

interface ChoiceButtonsProps<T extends string> {
  legend: string
  choices: readonly { value: T; label: string }[]
  selected: T
  onSelect: (value: T) => void
}

/** A few choices beside each other, one of them pressed: a filter that shows all that it offers. */
export function ChoiceButtons<T extends string>({
  legend,
  choices,
  selected,
  onSelect,
}: ChoiceButtonsProps<T>) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">{legend}</legend>
      <div className="flex min-h-9 w-fit overflow-hidden rounded-box border border-edge bg-card max-md:min-h-11">
        {choices.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === selected}
            onClick={() => onSelect(value)}
            className={clsx(
              'min-w-14 border-r border-edge px-3 text-sm font-semibold -outline-offset-2 last:border-r-0',
              value === selected ? 'bg-primary text-on-primary outline-on-primary' : 'hover:bg-soft',
            )}
          >
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
