import { clsx } from 'clsx'
import { Check, Pencil } from 'lucide-react'
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useState } from 'react'
import { monthNames } from '#shared/program-calendar.ts'
import { fieldChoices } from '#shared/students/student-choices.ts'
import {
  type FieldSection,
  fieldDefinition,
  isRequired,
  requiredOfMinors,
  type StudentField,
  sectionTitles,
  studentFieldNames,
} from '#shared/students/student-fields.ts'
import { isShown } from '#web/lib/older-browsers.ts'
import { abortable } from '#web/lib/timers.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { birthDateNames, type FormValues, valuesOf } from './form-values.ts'

const shortTitles: Partial<Record<FieldSection, string>> = {
  name: 'Name',
  personal: 'Personal data',
  education: 'Education',
  background: 'Schools attended',
}

const sectionIds = [...new Set(studentFieldNames.map((field) => fieldDefinition(field).section))]

/** The sections in form order (product 2.1). */
export const formSections = sectionIds.map((id) => {
  const title = sectionTitles[id]
  const fields = studentFieldNames.filter((field) => fieldDefinition(field).section === id)
  return { id, title, shortTitle: shortTitles[id] ?? title, fields }
})

export function requiredOf({ fields }: { fields: readonly StudentField[] }, isMinor = false): StudentField[] {
  return fields.filter((field) => isRequired(field, isMinor))
}

interface SectionProgressProps {
  form: RefObject<HTMLFormElement | null>
  /** The answers that the server's HTML has. */
  initial: Partial<FormValues>
  preset: Partial<FormValues>
  isMinor: boolean
}

/** A list of sections where there is room, one line on a phone. Without scripts a plain table of contents. */
export function SectionProgress(props: SectionProgressProps) {
  const { progress, current } = useProgress(props)
  const t = useTranslation()
  const position = formSections.findIndex(({ id }) => id === current)
  return (
    <>
      <div className="top-0 z-20 -mx-[min(1rem,20px)] border-b bg-card px-[min(1rem,20px)] pt-2.5 pb-3 stepped:pt-1.5 stepped:pb-2 lg:hidden noscript:hidden [@media(height>=28rem)]:sticky">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
          <span className="min-w-0 flex-1 basis-40 font-semibold">
            <CurrentStep />
            <span className="stepped:hidden">
              {t(`${position + 1} of ${formSections.length}: ${formSections[position]?.shortTitle}`)}
            </span>
          </span>
          <span className="shrink-0 text-muted tabular-nums">
            {t(`${progress.answered}/${progress.total} required`)}
          </span>
        </p>
        <ProgressBar progress={progress} />
      </div>
      <nav aria-label={t('Sections of the form')} className="hidden lg:block">
        <div className="sticky top-6">
          <p className="text-sm font-semibold tabular-nums noscript:hidden">
            {t(`${progress.answered} of ${progress.total} required answers`)}
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
                  isOptional={requiredOf(section, props.isMinor).length === 0}
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
  const t = useTranslation()
  return (
    <div
      role="progressbar"
      aria-label={t('Required answers given')}
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
  const t = useTranslation()
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
        {t(title)}
        {isComplete && <span className="sr-only">, {t('complete')}</span>}
        {isOptional && <span className="block text-xs font-normal text-muted">{t('Optional')}</span>}
      </span>
    </a>
  )
}

function useProgress({ form, initial, preset, isMinor }: SectionProgressProps) {
  const [progress, setProgress] = useState(() => progressOf(initial, preset, isMinor))
  const [current, setCurrent] = useState<FieldSection>('name')

  useEffect(() => {
    const element = form.current
    if (!element) return
    const count = () => setProgress(progressOf(valuesOf(new FormData(element)), preset, isMinor))
    count()
    element.addEventListener('input', count)
    return () => element.removeEventListener('input', count)
  }, [form, preset, isMinor])

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
  /** Required answers, the code of the day included. */
  answered: number
  total: number
  complete: ReadonlySet<FieldSection | 'consent'>
}

/**
 * Counts answers without checking them.
 * @param preset an answer that the form came with counts with the last other one of its section
 */
export function progressOf(
  values: Partial<FormValues>,
  preset: Partial<FormValues> = {},
  isMinor = false,
): Progress {
  const complete = new Set<FieldSection | 'consent'>()
  const { dayCode } = values
  let total = dayCode === undefined ? 0 : 1
  let answered = dayCode?.trim() ? 1 : 0
  const isAgreed = values.consent === 'true' && (!isMinor || values.guardianConsent === 'true')
  if (isAgreed && answered === total) complete.add('consent')
  for (const section of formSections) {
    const required = requiredOf(section, isMinor)
    const given = required.filter((field) => isAnswered(field, values))
    total += required.length
    if (given.length < required.length)
      answered += given.filter((field) => !isPreset(field, values, preset)).length
    else {
      answered += required.length
      if (required.length > 0) complete.add(section.id)
    }
  }
  return { answered, total, complete }
}

function isPreset(field: StudentField, values: Partial<FormValues>, preset: Partial<FormValues>): boolean {
  return field !== 'dateOfBirth' && values[field] === preset[field]
}

function isAnswered(field: StudentField, values: Partial<FormValues>): boolean {
  const names = field === 'dateOfBirth' ? birthDateNames : [field]
  return names.every((name) => values[name]?.trim())
}

/** The form on a phone: required answers first. form-steps.css shows the one that the address names. */
const steps = [
  { id: 'name', title: 'Your name' },
  { id: 'personal', title: 'Personal data' },
  { id: 'education', title: 'Course and component' },
  { id: 'emergency', title: 'Emergency contact' },
  { id: 'review', title: 'Check and submit' },
] as const

export type StepId = (typeof steps)[number]['id'] | 'more'

const moreTitle = 'More for your data sheet'

const stepOfSection: Partial<Record<FieldSection, StepId>> = {
  name: 'name',
  personal: 'personal',
  education: 'education',
  coverage: 'education',
  emergency: 'emergency',
}

const stepOfOptional: Partial<Record<StudentField, StepId>> = { middleName: 'name', program: 'education' }

/** The guardian of a minor is asked for with the date of birth. */
export function stepOf(field: StudentField, isMinor: boolean): StepId {
  const { section } = fieldDefinition(field)
  if (!isRequired(field, isMinor)) return stepOfOptional[field] ?? 'more'
  return requiredOfMinors.some((name) => name === field) ? 'personal' : (stepOfSection[section] ?? 'more')
}

/** The value of `data-steps` for these fields. */
export function stepsOf(fields: readonly StudentField[], isMinor: boolean): string {
  return [...new Set(fields.map((field) => stepOf(field, isMinor)))].join(' ')
}

function fieldsOf(step: StepId, isMinor: boolean) {
  return studentFieldNames.filter((field) => stepOf(field, isMinor) === step)
}

/**
 * A form that is brought back goes on at its first step without an answer.
 * @param isReload the step that the address names is where the student was, if it is not a later one
 */
export function openFirstStep(form: HTMLFormElement, isMinor: boolean, isReload: boolean): void {
  const values = valuesOf(new FormData(form))
  const isOpen = (id: StepId) =>
    fieldsOf(id, isMinor).some((field) => isRequired(field, isMinor) && !isAnswered(field, values))
  const first = steps.findIndex(({ id }) => isOpen(id))
  const { hash } = window.location
  const at = steps.findIndex(({ id }) => hash === `#step-${id}`)
  // A step before it is shown as the address says, and so is a field.
  const isEarlier = isReload && hash !== '' && hash !== '#step-more' && (at < first || first === -1)
  if (!isEarlier) window.location.replace(`#step-${steps.at(first)?.id}`)
}

/** Shows the step of an element that is hidden in another one. */
export function revealStep(element: HTMLElement | null, fragment: string): void {
  if (element && !isShown(element)) window.location.hash = fragment
}

/** A phone that is turned shows the form in steps or as one page: the answer that was being given stays in sight. */
export function useRevealAfterRotation(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    let last: HTMLElement | null = null
    return abortable(({ signal }) => {
      const note = ({ target }: FocusEvent) => {
        if (target instanceof HTMLElement) last = target
      }
      form.current?.addEventListener('focusin', note, { signal })
      const follow = () => {
        const field = last
        if (!field) return
        revealStep(field, field.id)
        field.focus({ preventScroll: true })
        field.scrollIntoView({ block: 'center' })
      }
      window.matchMedia('(width < 48rem)').addEventListener('change', follow, { signal })
    })
  }, [form])
}

/** Where the fragments lead: so far above the form that each step begins at the top of the page, with the site's head. */
export function StepTitles() {
  const t = useTranslation()
  return (
    <div className="hidden stepped:contents">
      {steps.map(({ id, title }, index) => (
        <h2 key={id} id={`step-${id}`} data-step={id} tabIndex={-1} className="scroll-mt-96 sr-only">
          {t(`Step ${index + 1} of ${steps.length}: ${title}`)}
        </h2>
      ))}
      <h2 id="step-more" data-step="more" tabIndex={-1} className="scroll-mt-96 sr-only">
        {t(moreTitle)}
      </h2>
    </div>
  )
}

/** The same in the bar above the step. */
function CurrentStep() {
  const t = useTranslation()
  return (
    <span className="hidden stepped:inline">
      {steps.map(({ id, title }, index) => (
        <span key={id} data-steps={id}>
          {t(`${index + 1} of ${steps.length}: ${title}`)}
        </span>
      ))}
      <span data-steps="more">{t(moreTitle)}</span>
    </span>
  )
}

// The first answer gets the focus: a press less, and the keyboard stays.
function openStep(hash: string): void {
  window.location.hash = hash
  const controls = document.querySelectorAll<HTMLElement>(
    `[data-step="${hash.replace('#step-', '')}"] :is(input, select)`,
  )
  controls[0]?.focus({ preventScroll: true })
}

const linkClass = 'inline-flex min-h-12 items-center justify-center rounded-box px-6 text-lg font-semibold'
const nextClass = `${linkClass} flex-1 bg-primary text-on-primary hover:bg-primary-strong`

interface StepLinksProps {
  isMinor: boolean
  /** Gives the fields with a problem, which it shows. */
  check: (fields: readonly StudentField[]) => Promise<readonly string[]>
}

/** Plain links, so that they work before the form's scripts arrive. */
export function StepLinks({ isMinor, check }: StepLinksProps) {
  const t = useTranslation()

  async function goOn(event: MouseEvent<HTMLAnchorElement>, step: StepId) {
    event.preventDefault()
    const { hash } = event.currentTarget
    const [first] = await check(fieldsOf(step, isMinor))
    if (first === undefined) openStep(hash)
    else document.getElementById(first)?.focus()
  }

  return (
    <div className="hidden stepped:contents">
      {steps.slice(0, -1).map(({ id }, index) => (
        <p key={id} data-steps={id} className="flex flex-wrap gap-3">
          {index > 0 && (
            <a
              href={`#step-${steps[index - 1]?.id}`}
              className={`${linkClass} border border-edge bg-card hover:bg-soft`}
            >
              {t('Back')}
            </a>
          )}
          <a
            href={`#step-${steps[index + 1]?.id}`}
            data-next=""
            onClick={(event) => void goOn(event, id)}
            className={nextClass}
          >
            {t('Next')}
          </a>
        </p>
      ))}
      <p data-steps="more" className="flex">
        <a href="#step-review" className={nextClass}>
          {t('Done')}
        </a>
      </p>
    </div>
  )
}

/** What was answered, before it is sent: a line for each step, which leads back to it. */
export function AnswerSummary({ form, isMinor }: Pick<SectionProgressProps, 'form' | 'isMinor'>) {
  const [values, setValues] = useState<FormValues>()
  const t = useTranslation()

  useEffect(() => {
    const read = () => setValues(form.current ? valuesOf(new FormData(form.current)) : undefined)
    read()
    window.addEventListener('hashchange', read)
    return () => window.removeEventListener('hashchange', read)
  }, [form])

  if (!values) return null
  return (
    <section
      aria-label={t('Your answers')}
      data-steps="review"
      className="hidden rounded-box border bg-card px-3 py-1 shadow-card stepped:block"
    >
      <dl className="divide-y text-sm/[1.125rem]">
        {steps.slice(0, -1).map(({ id, title }) => (
          <div key={id} className="py-0.5">
            <ChangeTerm step={id} label={`${t('Change')}: ${t(title)}`}>
              {t(title)}
            </ChangeTerm>
            <Answers fields={fieldsOf(id, isMinor)} values={values} isMinor={isMinor} />
          </div>
        ))}
        <div className="py-0.5">
          <ChangeTerm step="more">{t('Add more for your data sheet')}</ChangeTerm>
          <Answers fields={fieldsOf('more', isMinor)} values={values} isMinor={isMinor} isLabelled>
            <span className="text-xs text-muted">{t('Optional: parents, schools, skills …')}</span>
          </Answers>
        </div>
      </dl>
    </section>
  )
}

function ChangeTerm({ step, label, children }: { step: StepId; label?: string; children: string }) {
  return (
    <dt>
      <a
        href={`#step-${step}`}
        aria-label={label}
        className="inline-flex min-h-6 items-center gap-1.5 text-xs font-bold text-primary underline underline-offset-2"
      >
        <Pencil className="size-3 shrink-0" />
        {children}
      </a>
    </dt>
  )
}

interface AnswersProps {
  fields: readonly StudentField[]
  values: FormValues
  isMinor: boolean
  /** Whether each answer is named: those of a step are known by their order. */
  isLabelled?: boolean
  /** Shown where nothing was answered. */
  children?: ReactNode
}

/** The answers, without the optional ones that were left out. A required one that is missing is named. */
function Answers({ fields, values, isMinor, isLabelled = false, children }: AnswersProps) {
  const t = useTranslation()
  const answered = fields
    .map((field) => ({ field, text: answerText(field, values, t) }))
    .filter(({ field, text }) => text !== '' || isRequired(field, isMinor))
  if (answered.length === 0) return <dd>{children}</dd>
  return (
    <dd className="flex flex-wrap gap-x-4 wrap-anywhere">
      {answered.map(({ field, text }) => (
        <span key={field} className="min-w-0">
          <span className={isLabelled || text === '' ? 'text-muted' : 'sr-only'}>
            {t(fieldDefinition(field).label)}:{' '}
          </span>
          <bdi className="whitespace-pre-line">{text || '–'}</bdi>
        </span>
      ))}
    </dd>
  )
}

function answerText(field: StudentField, values: FormValues, t: (text: string) => string): string {
  if (field !== 'dateOfBirth') return field in fieldChoices ? t(values[field]) : values[field].trim()
  const { birthMonth, birthDay, birthYear } = values
  const month = t(monthNames[Number(birthMonth) - 1] ?? '')
  return [month, [birthDay, birthYear].filter(Boolean).join(', ')].filter(Boolean).join(' ')
}
