import { clsx } from 'clsx'
import { figureText } from '#web/lib/number-texts.ts'

interface CountTilesProps<Value extends string> {
  legend: string
  tiles: readonly { value: Value; label: string; count: number }[]
  selected: Value
  className: string
  onSelect: (value: Value) => void
}

/** Buttons that show how many there are of each kind. The list below shows those of the selected kind. */
export function CountTiles<Value extends string>(props: CountTilesProps<Value>) {
  const { legend, tiles, selected, className, onSelect } = props
  return (
    <fieldset className={clsx('grid grid-cols-2 gap-2', className)}>
      <legend className="sr-only">{legend}</legend>
      {tiles.map(({ value, label, count }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === selected}
          onClick={() => onSelect(value)}
          className={clsx(
            'rounded-box border px-3 py-2 text-left',
            value === selected ? 'border-primary bg-primary-soft' : 'border-edge bg-card hover:bg-soft',
          )}
        >
          <span className="block text-xl font-bold tabular-nums">{figureText(count)}</span>
          <span className="block text-sm text-muted">{label}</span>
        </button>
      ))}
    </fieldset>
  )
}
