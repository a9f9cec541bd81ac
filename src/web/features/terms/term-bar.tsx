import { clsx } from 'clsx'
import { ChevronDown, CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { termLabel } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { SelectField } from '#web/components/field.tsx'
import { levelOf, useLevelNames } from '#web/lib/level-names.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { rangeOf } from '#web/lib/relative-time.ts'
import { type Cell, levelTexts, type TermPane, type TermsAddress, unplacedIn } from './data.ts'

interface TermBarProps {
  term: Term
  terms: readonly Term[]
  /** Undefined until the summary of the term is read: term and actions are there before. */
  cell: Cell | undefined
  cells: readonly Cell[]
  /** The steps that this account may open. */
  panes: readonly TermPane[]
  pane: TermPane
  /** What is done with the whole term. */
  actions: ReactNode
  go: (change: Partial<TermsAddress>) => void
}

/** Chooses term, component, level and step. It stays in sight, and on a phone its choices fold away. */
export function TermBar({ term, terms, cell, cells, panes, pane, actions, go }: TermBarProps) {
  const [isUnfolded, setUnfolded] = useState(false)
  const { levelName } = useLevelNames()
  return (
    <div className="top-14 z-10 -mx-[12px] flex flex-col gap-2 border-b bg-bg px-[12px] py-1.5 md:-mx-[24px] md:px-[24px] [@media(height>=28rem)]:sticky">
      <button
        type="button"
        aria-expanded={isUnfolded}
        onClick={() => setUnfolded(!isUnfolded)}
        className="flex min-h-11 items-center justify-between gap-2 rounded-box border border-edge bg-card px-3 text-left text-sm font-semibold md:hidden"
      >
        <span className="min-w-0 wrap-anywhere">
          {[termLabel(term), ...(cell ? [cell.component, levelName(cell.component, cell.level)] : [])].join(
            ' · ',
          )}
        </span>
        <ChevronDown className={clsx('size-4 shrink-0', isUnfolded && 'rotate-180')} />
      </button>
      <div className={clsx('flex flex-wrap items-center gap-x-3 gap-y-2', !isUnfolded && 'max-md:hidden')}>
        <SelectField
          name="term"
          label="Term"
          isLabelHidden
          density="compact"
          className="max-w-full md:w-72"
          options={terms.map((one) => ({ value: one.id, label: `${termLabel(one)} · ${one.state}` }))}
          value={term.id}
          onChange={({ target }) => go({ term: target.value, marks: null })}
        />
        {cell && <CellChoice cell={cell} cells={cells} go={go} />}
        {actions}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        {cell && (
          <Steps
            cell={cell}
            panes={panes}
            pane={pane}
            hasFigures={isUnfolded}
            onOpen={(chosen) => go({ component: cell.component, level: `${cell.level}`, pane: chosen })}
          />
        )}
        <p className={clsx('text-sm text-muted', !isUnfolded && 'max-md:hidden')}>
          {rangeOf({ first: term.startsOn, last: term.endsOn })}
        </p>
      </div>
    </div>
  )
}

type CellChoiceProps = Pick<TermBarProps, 'cells' | 'go'> & { cell: Cell }

function CellChoice({ cell, cells, go }: CellChoiceProps) {
  const { levelName } = useLevelNames()
  const { component } = cell
  const level = `${cell.level}` as const
  return (
    <>
      <ChoiceButtons
        legend="NSTP Component"
        isLegendHidden
        choices={nstpComponents
          .filter((name) => cells.some((one) => one.component === name))
          .map((value) => ({ value, label: value }))}
        selected={component}
        onSelect={(chosen) => go({ component: chosen, level, marks: null })}
      />
      <ChoiceButtons
        legend="Level"
        isLegendHidden
        choices={levelTexts.map((value) => ({
          value,
          label: levelName(component, levelOf(value)),
        }))}
        selected={level}
        onSelect={(chosen) => go({ component, level: chosen, marks: null })}
      />
    </>
  )
}

interface StepsProps extends Pick<TermBarProps, 'panes' | 'pane'> {
  cell: Cell
  /** Whether a phone shows the figures too: without them the four steps fit in one line. */
  hasFigures: boolean
  onOpen: (pane: TermPane) => void
}

/** What is to be done in a term, in order, and how far it is. Each step opens its pane. */
function Steps({ cell, panes, pane, hasFigures, onOpen }: StepsProps) {
  const { sections, placed, withoutSection, official, marked } = cell
  const enrolled = placed + withoutSection
  const all = placed + unplacedIn(cell)
  const steps: { pane: TermPane; title: string; figure: string; isDone: boolean }[] = [
    { pane: 'sections', title: 'Sections', figure: figureText(sections), isDone: sections > 0 },
    {
      pane: 'students',
      title: 'Students',
      figure: `${figureText(placed)} of ${figureText(all)} placed`,
      isDone: all > 0 && placed === all,
    },
    {
      pane: 'lists',
      title: 'Lists',
      figure: `${figureText(official)} official`,
      isDone: enrolled > 0 && official === enrolled,
    },
  ]
  // Training is no step with an end.
  if (panes.includes('attendance'))
    steps.push({ pane: 'attendance', title: 'Attendance', figure: '', isDone: false })
  if (marked !== undefined) {
    const isDone = enrolled > 0 && marked === enrolled
    steps.push({ pane: 'marks', title: 'Marks', figure: figureText(marked), isDone })
  }
  return (
    <ol aria-label="Steps of the term" className="flex flex-wrap gap-1 text-sm md:gap-2">
      {steps.map(({ pane: name, title, figure, isDone }) => {
        const className = clsx(
          'flex min-h-9 items-center gap-1.5 rounded-box border px-1.5 max-md:min-h-11 max-md:text-[0.8125rem] md:px-3',
          name === pane ? 'border-primary bg-primary-soft font-semibold' : 'bg-card',
        )
        const text = (
          <>
            {title}
            {figure !== '' && (
              <span className={clsx('font-normal text-muted tabular-nums', !hasFigures && 'max-md:sr-only')}>
                {` ${figure}`}
              </span>
            )}
            {isDone && <CircleCheck aria-label="done" className="size-4 text-success max-md:sr-only" />}
          </>
        )
        return (
          <li key={name}>
            {panes.includes(name) ? (
              <button
                type="button"
                aria-pressed={name === pane}
                onClick={() => onOpen(name)}
                className={clsx(className, name !== pane && 'hover:bg-soft')}
              >
                {text}
              </button>
            ) : (
              <span className={className}>{text}</span>
            )}
          </li>
        )
      })}
    </ol>
  )
}
