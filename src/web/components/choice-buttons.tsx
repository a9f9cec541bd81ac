import { clsx } from 'clsx'
import type { ComponentFilter } from '#shared/students/students.ts'
import { useAccount } from '#web/lib/account.ts'
import { FieldErrorText } from './field.tsx'

interface ChoiceButtonsProps<T extends string> {
  id?: string
  legend: string
  isLegendHidden?: boolean
  choices: readonly { value: T; label: string }[]
  selected: T | null
  error?: string | undefined
  onSelect: (value: T) => void
}

export function ChoiceButtons<T extends string>(props: ChoiceButtonsProps<T>) {
  const { id, legend, isLegendHidden = false, choices, selected, error, onSelect } = props
  return (
    <fieldset aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className={isLegendHidden ? 'sr-only' : 'mb-1.5 text-sm font-semibold'}>{legend}</legend>
      <div className="flex w-fit max-w-full flex-wrap gap-px overflow-hidden rounded-box border border-edge bg-edge">
        {choices.map(({ value, label }, index) => (
          <button
            key={value}
            // Focused after a refusal.
            id={index === 0 ? id : undefined}
            type="button"
            aria-pressed={value === selected}
            onClick={() => onSelect(value)}
            className={clsx(
              'min-h-9 min-w-14 grow px-3 text-sm font-semibold -outline-offset-2 max-md:min-h-11',
              value === selected ? 'bg-primary text-on-primary outline-on-primary' : 'bg-card hover:bg-soft',
            )}
          >
            {label}
          </button>
        ))}
      </div>
      {error !== undefined && (
        <div className="mt-1.5">
          <FieldErrorText id={`${id}-error`}>{error}</FieldErrorText>
        </div>
      )}
    </fieldset>
  )
}

/**
 * LTS has no button, but an address can name it; then it is shown as selected. Who works with some
 * components alone has the buttons of these.
 */
export function ComponentButtons({
  selected,
  hasLts = selected === 'LTS',
  onSelect,
}: Pick<ChoiceButtonsProps<ComponentFilter>, 'onSelect'> & { selected: ComponentFilter; hasLts?: boolean }) {
  const { includes } = useAccount()
  const usual = (['ROTC', 'CWTS'] as const).filter(includes)
  const offered: ComponentFilter[] = ['all', ...usual]
  if (hasLts || (usual.length < 2 && includes('LTS'))) offered.push('LTS')
  const choices = offered.map((value) => ({ value, label: value === 'all' ? 'All' : value }))
  return <ChoiceButtons legend="NSTP Component" choices={choices} selected={selected} onSelect={onSelect} />
}
