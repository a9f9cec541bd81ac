import {
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { meantMailDomain } from '#shared/mail/mail-domain.ts'
import type { FieldError } from '#shared/problem.ts'
import { needsGuardian } from '#shared/program-calendar.ts'
import type { RegistrationContext } from '#shared/registration/registration.ts'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import { showToast } from '#web/components/toaster.tsx'
import { composeBirthDate } from '#web/lib/birth-date.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { abortable, runAfter } from '#web/lib/timers.ts'
import { Phrase, useTranslation } from '#web/lib/translation.tsx'
import { hasAnswers, noteEnlisted } from './draft-key.ts'
import { prepareConfirmation } from './enlisted-panel.tsx'
import { ConsentCard, FormFields } from './form-fields.tsx'
import {
  AnswerSummary,
  openFirstStep,
  SectionProgress,
  StepLinks,
  StepTitles,
  useRevealAfterRotation,
} from './form-progress.tsx'
import { birthDateNames, bodyOf, fieldContext, mailQuestion, valuesOf } from './form-values.ts'
import { KeptOffer } from './kept-offer.tsx'
import { FormTitle, registrationSentences } from './registration-texts.tsx'
import { RestoredNotice } from './restored-notice.tsx'
import { SubmitPanel } from './submit-panel.tsx'
import { fillForm, isBornOn, useDraft } from './use-draft.ts'
import { type Enlisted, type RefusedPost, useEnlistment } from './use-enlistment.ts'
import { useWaiting } from './use-waiting.ts'

export interface EnlistmentFormProps {
  registration: RegistrationContext
  /** Preselected by the link to the form; '' for none. */
  component: string
  idempotencyKey: string
  refused: RefusedPost | undefined
  /** The reference of this browser's last enlistment. */
  enlisted: string | null
  /** Set while leaving would lose answers. */
  unsaved: RefObject<boolean>
  onEnlisted: (enlisted: Enlisted) => void
  /** The server's copy, with what was typed into it. */
  served?: HTMLFormElement | null
  onReady?: () => void
}

/**
 * The form itself: native controls that React never writes to, so that nothing typed before its scripts arrive is lost,
 * and a plain post of the same form works without them. It may be a tree of its own, so it uses nothing of the router.
 */
export function EnlistmentForm(props: EnlistmentFormProps) {
  const { registration, component, idempotencyKey, refused, enlisted, unsaved, onEnlisted, served, onReady } =
    props
  const form = useRef<HTMLFormElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const [isOpened, setOpened] = useState(false)
  const [preset] = useState(() => ({
    academicYear: registration.currentAcademicYear,
    citizenship: 'Filipino',
  }))
  const [initial] = useState(() => refused?.values ?? { ...preset, nstpComponent: component })
  // Fixed for this form: a revalidation of the page brings a new key.
  const [key, setKey] = useState(refused?.idempotencyKey ?? idempotencyKey)
  const draft = useDraft({
    form,
    canRestore: refused === undefined,
    onRestored({ idempotencyKey }, isReload) {
      setKey(idempotencyKey)
      if (form.current) openFirstStep(form.current, hasMinor(form.current, registration.today), isReload)
    },
    onWaiting({ asksNumber }, hadAnswers) {
      // A form that had answers of its own is sent by its student alone.
      if (asksNumber || !hadAnswers) enlistment.resume(asksNumber)
    },
    onLeave() {
      unsaved.current = false
    },
  })
  const isHydrated = useHydrated()
  useRevealAfterRotation(form)

  const enlistment = useEnlistment({
    form,
    start: registration,
    refused,
    onKept: draft.endCopies,
    onEnlisted: (enlisted) => finish(enlisted, true),
  })
  const { offer, errors, failed, isSending, submit, clearFixedErrors, check } = enlistment
  const waiting = draft.offer?.waiting
  const outcome = useWaiting(waiting, (enlisted) => {
    if (waiting?.idempotencyKey === key) return finish(enlisted, true)
    // Whoever holds the phone by now: the code comes after the birth date.
    showToast('success', registrationSentences.sent, { shownMs: null })
  })
  const isOfMinor = useIsMinor(form, offer.today, refused)
  const { mailDomain, notice, noteInput, noteLeft } = useFieldChecks({
    form,
    isJudged: refused !== undefined,
    check,
  })

  /** @param isOfForm whether the form is that student's, else it keeps its answers */
  function finish(enlisted: Enlisted, isOfForm: boolean) {
    if (isOfForm) {
      draft.forget()
      form.current?.reset()
    }
    noteEnlisted(enlisted.receipt.reference)
    unsaved.current = false
    onEnlisted(enlisted)
  }

  async function open(birthDate: string) {
    const isSent = typeof outcome === 'object' && waiting !== undefined && isBornOn(waiting, birthDate)
    if (!isSent) {
      const isOpen = await draft.open(birthDate)
      // The notice takes the focus, but for one whose number is typed again.
      setOpened(isOpen && !(waiting?.asksNumber && isBornOn(waiting, birthDate)))
      return isOpen
    }
    finish(outcome.enlisted, false)
    return true
  }

  function startAnew() {
    draft.startAnew()
    // The pressed button is gone.
    title.current?.focus()
  }

  function startOver() {
    draft.forget()
    form.current?.reset()
    unsaved.current = false
  }

  async function checkStep(fields: readonly StudentField[]) {
    const problems = form.current ? await check(form.current, fields) : []
    return problems.map(({ path }) => path)
  }

  function noteUnsaved() {
    unsaved.current = refused !== undefined || (form.current !== null && hasAnswers(form.current))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the scripts are at work
  useEffect(() => {
    // React renders another one when the served HTML doesn't match, which translators and browser extensions cause.
    if (served && form.current && served !== form.current) {
      const typed = valuesOf(new FormData(served))
      fillForm(form.current, (name) => typed[name])
    }
    noteUnsaved()
    prepareConfirmation()
    onReady?.()
  }, [])

  // Answers that were refused are stored again: at Submit they were not.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each sending
  useEffect(() => {
    if (!isSending) draft.schedule()
  }, [isSending])

  const fields = useMemo(
    () => ({
      values: initial,
      errors: new Map(errors.map(({ path, message }) => [path, message])),
      mailDomain,
      isMinor: isOfMinor,
    }),
    [initial, errors, mailDomain, isOfMinor],
  )

  return (
    <div className="form-steps page-width py-8 md:py-12 stepped:pt-0 stepped:pb-2">
      <FormTitle titleRef={title} />
      <RestoredNotice restored={draft.restored} isFocused={isOpened} onStartOver={startOver} />
      {/* Not while a submitted one is sent again and again: its answers must not be replaced. */}
      {draft.offer && !isSending && failed?.resendMs === undefined && (
        <KeptOffer offer={draft.offer} outcome={outcome} open={open} onStartAnew={startAnew} />
      )}
      <p data-steps="name" className="mt-4 max-w-3xl stepped:my-1 stepped:text-sm">
        <Phrase
          text="It takes about five minutes. Answers marked {star} are required; everything else is optional."
          star={<span className="font-semibold text-danger">*</span>}
        />
      </p>
      {offer.asksCode && (
        <p data-steps="name" className="mt-2 max-w-3xl stepped:text-sm">
          <Phrase text="You will need today's code from the NSTP office." />
        </p>
      )}
      <form
        ref={form}
        method="post"
        noValidate
        aria-busy={isSending}
        onSubmit={(event) => void submit(event)}
        onKeyDown={moveOnWithEnter}
        onInput={(event) => {
          noteUnsaved()
          noteInput(event)
          draft.noteInput()
          void clearFixedErrors(event.currentTarget)
        }}
        onBlur={noteLeft}
        className="mt-6 grid grid-cols-1 gap-6 stepped:mt-0 stepped:gap-2 lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-10 [&_:is(input,select,textarea)]:scroll-mt-24"
      >
        {!isHydrated && (
          // Enter presses the first submit button. It is disabled, so that Enter in the first answer does not post the
          // whole form while its scripts are on their way.
          <input type="submit" disabled hidden />
        )}
        {/* Another form for the browser than that of the last enlistment: Back brings none of its answers here. */}
        {enlisted !== null && <input type="hidden" name={enlisted} />}
        {/* Without this, browsers bring back the key of an earlier form after a reload. */}
        <input type="hidden" name="idempotencyKey" defaultValue={key} autoComplete="off" />
        {refused?.challenge && <input type="hidden" name="challenge" defaultValue={refused.challenge} />}
        <StepTitles />
        <SectionProgress
          form={form}
          initial={offer.asksCode ? { dayCode: '', ...initial } : initial}
          preset={preset}
          isMinor={isOfMinor ?? false}
        />
        <div className="flex min-w-0 flex-col gap-5 stepped:gap-2">
          <p aria-live="assertive" className="sr-only">
            <Phrase text={enlistment.announcement} />
          </p>
          <p role="status" className="sr-only">
            <Phrase text={notice} />
          </p>
          {enlistment.isRefused && errors.length > 0 && (
            <ErrorSummary errors={errors} isOpen={refused !== undefined} />
          )}
          <fieldContext.Provider value={fields}>
            <FormFields offer={offer} />
            {/* Another one when answers were brought back: it reads them when it is shown. */}
            <AnswerSummary key={draft.restored} form={form} isMinor={isOfMinor ?? false} />
            <ConsentCard {...offer} />
          </fieldContext.Provider>
          <StepLinks isMinor={isOfMinor ?? false} check={checkStep} />
          <SubmitPanel isSending={isSending} failed={failed} onStartOver={startOver} />
        </div>
      </form>
    </div>
  )
}

function hasMinor(form: HTMLFormElement, today: string): boolean {
  return needsGuardian(today, composeBirthDate(valuesOf(new FormData(form))))
}

/** Undefined until scripts have read the birth date, unless a refused post had that of a minor. */
function useIsMinor(
  form: RefObject<HTMLFormElement | null>,
  today: string,
  refused: RefusedPost | undefined,
): boolean | undefined {
  const [isOfMinor, setOfMinor] = useState<boolean | undefined>(
    () => (refused && needsGuardian(today, composeBirthDate(refused.values))) || undefined,
  )
  useEffect(() => {
    const element = form.current
    if (!element) return
    const read = () => setOfMinor(hasMinor(element, today))
    read()
    return abortable(({ signal }) => element.addEventListener('input', read, { signal }))
  }, [form, today])
  return isOfMinor
}

/**
 * The Enter key moves to the next field on a phone, and where the form has steps: the browser alone would submit. With
 * a hardware keyboard and the whole form in sight, Enter submits.
 */
function moveOnWithEnter(event: KeyboardEvent<HTMLFormElement>) {
  const { target } = event
  if (event.key !== 'Enter' || event.defaultPrevented || !(target instanceof HTMLInputElement)) return
  if (target.enterKeyHint !== 'next') return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-next]')]
  const nextStep = links.find(({ offsetParent }) => offsetParent)
  if (!nextStep && !matchMedia('(pointer: coarse)').matches) return
  event.preventDefault()
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>('input, select, textarea')]
  const visible = controls.filter((control) => control.offsetParent !== null)
  const next = visible[visible.indexOf(target) + 1]
  if (next) next.focus()
  // The last answer of a step.
  else nextStep?.click()
}

function ErrorSummary({ errors, isOpen }: { errors: readonly FieldError[]; isOpen: boolean }) {
  const t = useTranslation()
  return (
    <details open={isOpen} className="rounded-box border border-danger bg-danger-soft px-4 py-1 sm:px-6">
      <summary
        // biome-ignore lint/a11y/noAutofocus: after a refused plain post the errors come first, scripts or not
        autoFocus={isOpen}
        // The ring stays inside: below begins the first link.
        className="-mx-2 min-h-11 content-center rounded-box px-2 font-bold text-danger -outline-offset-2"
      >
        {t(
          errors.length === 1
            ? 'One answer needs your attention'
            : `${errors.length} answers need your attention`,
        )}
      </summary>
      <ul className="pb-2">
        {errors.map(({ path, message }) => (
          <li key={path}>
            <a
              href={`#${path}`}
              className="inline-flex min-h-11 items-center text-danger underline underline-offset-4 sm:min-h-8"
            >
              {t(message)}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

type CheckedField = StudentField | 'consent' | 'guardianConsent'

interface FieldCheckOptions {
  form: RefObject<HTMLFormElement | null>
  isJudged: boolean
  check: (form: HTMLFormElement, fields: readonly CheckedField[]) => Promise<FieldError[]>
}

/** Checks a field on blur, once it was changed. */
function useFieldChecks({ form, isJudged, check }: FieldCheckOptions) {
  const changed = useRef(new Set<CheckedField>())
  const afterPress = useAfterPress()
  const [mailDomain, setMailDomain] = useState<string>()
  const [notice, setNotice] = useState('')

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was filled in before the scripts arrived
  useEffect(() => {
    if (!isJudged) void checkLeft(studentFieldNames)
  }, [])

  function noteInput({ target }: FormEvent<HTMLFormElement>) {
    const field = fieldOf(target)
    if (field) changed.current.add(field)
    if (field === 'email') setMailDomain(undefined)
  }

  // Skips the focused field and fields without an answer.
  async function checkLeft(fields: readonly CheckedField[]) {
    if (!form.current) return
    const values = valuesOf(new FormData(form.current))
    const body = bodyOf(values)
    const here = fieldOf(document.activeElement)
    // Between the parts of a date a phone's keyboard may be put away.
    const isAmidDate = here === undefined && birthDateNames.some((name) => values[name] === '')
    const left = fields
      .filter((field) => field !== here && (body[field] || changed.current.has(field)))
      .filter((field) => field !== 'dateOfBirth' || !isAmidDate)
    if (left.length === 0) return
    const problems = await check(form.current, left)
    const sentences = problems.map(({ message }) => message)
    if (left.includes('email')) {
      const domain = meantMailDomain(values.email)
      setMailDomain(domain)
      if (domain !== undefined) sentences.push(mailQuestion(domain))
    }
    setNotice(sentences.join(' '))
  }

  function noteLeft({ target }: FocusEvent<HTMLFormElement>) {
    const field = fieldOf(target)
    if (field) afterPress(() => void checkLeft([field]))
  }

  return { mailDomain, notice, noteInput, noteLeft }
}

function fieldOf(control: EventTarget | null): CheckedField | undefined {
  if (!(control instanceof Element)) return undefined
  const name = control.getAttribute('name')
  if (name === 'consent' || name === 'guardianConsent') return name
  if (birthDateNames.some((part) => part === name)) return 'dateOfBirth'
  return studentFieldNames.find((field) => field === name)
}

/**
 * Runs the callback after the current press and its click: an error that appears would move the
 * target away from under the finger, and the click would be lost.
 */
function useAfterPress() {
  const isPressed = useRef(false)
  const waiting = useRef<(() => void)[]>([])
  useEffect(() => {
    const note = ({ type }: Event) => {
      isPressed.current = type === 'pointerdown'
      if (!isPressed.current) for (const callback of waiting.current.splice(0)) runAfter(0, callback)
    }
    // A press that becomes a scroll is cancelled and never comes up.
    return abortable(({ signal }) => {
      for (const type of ['pointerdown', 'pointerup', 'pointercancel']) {
        document.addEventListener(type, note, { capture: true, signal })
      }
    })
  }, [])

  return (callback: () => void) => {
    if (isPressed.current) waiting.current.push(callback)
    else runAfter(0, callback)
  }
}
