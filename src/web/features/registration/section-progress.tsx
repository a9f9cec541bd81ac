import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import type { RefObject } from 'react'
import type { Progress } from './form-progress.ts'
import { formSections } from './form-sections.ts'
import { useProgress } from './use-progress.ts'

/**
 * How far the form is: beside it the list of sections where there is room, over it one line on a phone.
 * Without scripts the list is a plain table of contents.
 */
export function SectionProgress({ form }: { form: RefObject<HTMLFormElement | null> }) {
  const { progress, current } = useProgress(form)
  const position = formSections.findIndex(({ id }) => id === current)
  return (
    <>
      <div className="sticky top-0 z-20 -mx-4 border-b bg-card px-4 pt-2.5 pb-3 lg:hidden noscript:hidden">
        <p className="flex items-baseline justify-between gap-3 text-sm">
          <span className="min-w-0 truncate font-semibold">
            {position + 1} of {formSections.length}: {formSections[position]?.shortTitle}
          </span>
          <span className="shrink-0 text-muted tabular-nums">
            {progress.answered}/{progress.total} required
          </span>
        </p>
        <ProgressBar progress={progress} />
      </div>
      <nav aria-label="Sections of the form" className="hidden lg:block">
        <div className="sticky top-6">
          <p className="text-sm font-semibold tabular-nums noscript:hidden">
            {progress.answered} of {progress.total} required answers
          </p>
          <div className="noscript:hidden">
            <ProgressBar progress={progress} />
          </div>
          <ol className="mt-4 flex flex-col">
            {formSections.map((section, index) => (
              <li key={section.id}>
                <SectionLink
                  id={section.id}
                  title={section.shortTitle}
                  mark={index + 1}
                  isOptional={!section.isRequired}
                  isCurrent={section.id === current}
                  isComplete={progress.complete.has(section.id)}
                />
              </li>
            ))}
            <li>
              <SectionLink id="consent" title="Your consent" isComplete={progress.complete.has('consent')} />
            </li>
          </ol>
        </div>
      </nav>
    </>
  )
}

function ProgressBar({ progress: { answered, total } }: { progress: Progress }) {
  return (
    <div
      role="progressbar"
      aria-label="Required answers given"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={answered}
      className="mt-2 h-1.5 overflow-hidden rounded-full bg-soft"
    >
      <div
        className="h-full origin-left rounded-full bg-primary transition-transform"
        style={{ transform: `scaleX(${answered / total})` }}
      />
    </div>
  )
}

interface SectionLinkProps {
  id: string
  title: string
  /** Its number; the consent has none. */
  mark?: number
  isOptional?: boolean
  isCurrent?: boolean
  isComplete: boolean
}

function SectionLink({ id, title, mark, isOptional, isCurrent, isComplete }: SectionLinkProps) {
  return (
    <a
      href={`#section-${id}`}
      aria-current={isCurrent ? 'step' : undefined}
      className="flex min-h-11 items-center gap-3 rounded-box px-2 py-1.5 text-sm hover:bg-soft aria-[current=step]:bg-primary-soft aria-[current=step]:font-semibold"
    >
      <span
        className={clsx(
          'grid size-6 shrink-0 place-items-center rounded-full text-xs font-semibold tabular-nums',
          isComplete ? 'bg-primary text-on-primary' : 'border border-edge text-muted',
        )}
      >
        {isComplete ? <Check aria-hidden="true" className="size-4" /> : mark}
      </span>
      <span className="min-w-0">
        {title}
        {isComplete && <span className="sr-only">, complete</span>}
        {isOptional && <span className="block text-xs font-normal text-muted">Optional</span>}
      </span>
    </a>
  )
}
