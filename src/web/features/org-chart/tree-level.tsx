import { clsx } from 'clsx'
import { orgLevels } from '#shared/org-chart.ts'
import { orgLevelOf } from '#shared/org-tree.ts'

/** From the top, by number: a level is told by its figure and its name, the colour only helps to find it. */
const looks = [
  'border-gold bg-gold text-on-gold',
  'border-primary bg-primary text-on-primary',
  'border-primary bg-primary-soft text-fg',
  'border-edge bg-card text-fg',
  'border-line bg-soft text-muted',
]

/** A node's level as in the legend. */
export function LevelMark({ depth }: { depth: number }) {
  const number = Math.min(depth, orgLevels.length - 1)
  return (
    <span className="inline-flex items-center gap-1.5 text-xs text-muted">
      <span
        aria-hidden="true"
        className={clsx(
          'print-colours grid size-4.5 shrink-0 place-items-center rounded-full border text-[0.6875rem] leading-none font-bold',
          looks[number],
        )}
      >
        {number + 1}
      </span>
      {orgLevelOf(depth)}
    </span>
  )
}

/** The levels of the chart (spec §2). */
export function LevelLegend() {
  return (
    <ul aria-label="Levels" className="flex flex-wrap gap-x-4 gap-y-1.5">
      {orgLevels.map((level, depth) => (
        <li key={level}>
          <LevelMark depth={depth} />
        </li>
      ))}
    </ul>
  )
}
