import { clsx } from 'clsx'
import { ChevronDown, CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { termLabel } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { SelectField } from '#web/components/field.tsx'
import { useLevelNames } from '#web/lib/level-names.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { rangeOf } from '#web/lib/relative-time.ts'
import { type Cell, levelTexts, type TermPane, type TermsAddress, unplacedIn } from './data.ts'

interface TermBarProps {
  term: Term
  terms: readonly Term[]
  cell: Cell
  cells: readonly Cell[]
  /** The panes that this account may open. */
  open: readonly TermPane[]
  pane: TermPane
  /** What is done with the whole term. */
  actions: ReactNode
  go: (change: Partial<TermsAddress>) => void
}

/** Chooses term, component, level and step. It stays in sight, and on a phone its choices fold away. */
export function TermBar({ term, terms, cell, cells, open, pane, actions, go }: TermBarProps) {
  const [isUnfolded, setUnfolded] = useState(false)
  const { levelName } = useLevelNames()
  const { component } = cell
  const level = cell.level === 1 ? '1' : '2'
  const nameOf = (value: '1' | '2') => levelName(component, value === '1' ? 1 : 2)
  return (
    <div className="top-14 z-10 -mx-[12px] flex flex-col gap-2 border-b bg-bg px-[12px] py-1.5 md:-mx-[24px] md:px-[24px] [@media(height>=28rem)]:sticky">
      <button
        type="button"
        aria-expanded={isUnfolded}
        onClick={() => setUnfolded(!isUnfolded)}
        className="flex min-h-11 items-center justify-between gap-2 rounded-box border border-edge bg-card px-3 text-left text-sm font-semibold md:hidden"
      >
        <span className="min-w-0 wrap-anywhere">
          {[termLabel(term), component, nameOf(level)].join(' · ')}
        </span>
        <ChevronDown className={clsx('size-4 shrink-0', isUnfolded && 'rotate-180')} />
      </button>
      <div className={clsx('flex flex-wrap items-center gap-x-3 gap-y-2', !isUnfolded && 'max-md:hidden')}>
        <SelectField
          name="term"
          label="Term"
          isLabelHidden
          density="compact"
          className="max-w-full"
          options={terms.map((one) => ({ value: one.id, label: `${termLabel(one)} · ${one.state}` }))}
          value={term.id}
          onChange={({ target }) => go({ term: target.value, marks: null })}
        />
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
          choices={levelTexts.map((value) => ({ value, label: nameOf(value) }))}
          selected={level}
          onSelect={(chosen) => go({ component, level: chosen, marks: null })}
        />
        {actions}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <Steps
          cell={cell}
          open={open}
          pane={pane}
          hasFigures={isUnfolded}
          onOpen={(chosen) => go({ component, level, pane: chosen })}
        />
        <p className={clsx('text-sm text-muted', !isUnfolded && 'max-md:hidden')}>
          {rangeOf({ first: term.startsOn, last: term.endsOn })}
        </p>
      </div>
    </div>
  )
}

interface StepsProps extends Pick<TermBarProps, 'cell' | 'open' | 'pane'> {
  /** Also on a phone, where the four steps without their figures are in one line. */
  hasFigures: boolean
  onOpen: (pane: TermPane) => void
}

/** What is to be done in a term, in order, and how far it is. Each step opens its pane. */
function Steps({ cell, open, pane, hasFigures, onOpen }: StepsProps) {
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
  if (marked !== undefined) {
    const isDone = enrolled > 0 && marked === enrolled
    steps.push({ pane: 'marks', title: 'Marks', figure: figureText(marked), isDone })
  }
  return (
    <ol aria-label="Steps of the term" className="flex flex-wrap gap-1 text-sm md:gap-2">
      {steps.map(({ pane: own, title, figure, isDone }) => {
        const className = clsx(
          'flex min-h-9 items-center gap-1.5 rounded-box border px-2 max-md:min-h-11 md:px-3',
          own === pane ? 'border-primary bg-primary-soft font-semibold' : 'bg-card',
        )
        const text = (
          <>
            {title}{' '}
            <span className={clsx('font-normal text-muted tabular-nums', !hasFigures && 'max-md:sr-only')}>
              {figure}
            </span>
            {isDone && <CircleCheck aria-label="done" className="size-4 text-success" />}
          </>
        )
        return (
          <li key={own}>
            {open.includes(own) ? (
              <button
                type="button"
                aria-pressed={own === pane}
                onClick={() => onOpen(own)}
                className={clsx(className, own !== pane && 'hover:bg-soft')}
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
