import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import {
  type FieldSection,
  fieldDefinition,
  type StudentField,
  sectionTitles,
  studentFieldNames,
} from '#shared/students/student-fields.ts'
import { birthDateNames, type FormValues, valuesOf } from './form-values.ts'

const shortTitles: Partial<Record<FieldSection, string>> = {
  name: 'Name',
  personal: 'Personal data',
  education: 'Education',
  background: 'Schools attended',
}

const sectionIds = [...new Set(studentFieldNames.map((field) => fieldDefinition(field).section))]

/** In form order (spec §2). */
export const formSections = sectionIds.map((id) => {
  const title = sectionTitles[id]
  const fields = studentFieldNames.filter((field) => fieldDefinition(field).section === id)
  const required = fields.filter((field) => fieldDefinition(field).required)
  return {
    id,
    title,
    shortTitle: shortTitles[id] ?? title,
    fields,
    required,
    isRequired: required.length > 0,
  }
})

interface SectionProgressProps {
  form: RefObject<HTMLFormElement | null>
  /** The answers that the server's HTML has. */
  initial: Partial<FormValues>
}

/** A list of sections where there is room, one line on a phone. Without scripts a plain table of contents. */
export function SectionProgress({ form, initial }: SectionProgressProps) {
  const { progress, current } = useProgress(form, initial)
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
        {isComplete ? <Check className="size-4" /> : mark}
      </span>
      <span className="min-w-0">
        {title}
        {isComplete && <span className="sr-only">, complete</span>}
        {isOptional && <span className="block text-xs font-normal text-muted">Optional</span>}
      </span>
    </a>
  )
}

function useProgress(form: RefObject<HTMLFormElement | null>, initial: Partial<FormValues>) {
  const [progress, setProgress] = useState(() => progressOf(initial))
  const [current, setCurrent] = useState<FieldSection>('name')

  useEffect(() => {
    const element = form.current
    if (!element) return
    const count = () => setProgress(progressOf(valuesOf(new FormData(element))))
    count()
    element.addEventListener('input', count)
    return () => element.removeEventListener('input', count)
  }, [form])

  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const seen = entries.find(({ isIntersecting }) => isIntersecting)
        const section = formSections.find(({ id }) => seen?.target.id === `section-${id}`)
        if (section) setCurrent(section.id)
      },
      // The section that crosses a line a third of the way down is the one that is being read.
      { rootMargin: '-33% 0px -66% 0px' },
    )
    for (const { id } of formSections) {
      const section = document.getElementById(`section-${id}`)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [])

  return { progress, current }
}

interface Progress {
  /** Required answers, consent included. */
  answered: number
  total: number
  complete: ReadonlySet<FieldSection | 'consent'>
}

const total = formSections.reduce((sum, { required }) => sum + required.length, 1)

/** Counts answers without checking them. */
export function progressOf(values: Partial<FormValues>): Progress {
  const complete = new Set<FieldSection | 'consent'>()
  let answered = 0
  if (values.consent === 'true') {
    complete.add('consent')
    answered += 1
  }
  for (const { id, required } of formSections) {
    const given = required.filter((field) => isAnswered(field, values)).length
    answered += given
    if (required.length > 0 && given === required.length) complete.add(id)
  }
  return { answered, total, complete }
}

function isAnswered(field: StudentField, values: Partial<FormValues>): boolean {
  const names = field === 'dateOfBirth' ? birthDateNames : [field]
  return names.every((name) => values[name]?.trim())
}
