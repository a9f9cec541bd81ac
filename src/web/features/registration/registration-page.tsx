import { StrictMode, useCallback, useEffect, useRef, useState } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { useBeforeUnload, useBlocker, useNavigate } from 'react-router'
import type { RegistrationContext } from '#shared/registration/registration.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { hasAnswers, hasStoredDraft } from './draft-key.ts'
import { confirmationPath, EnlistedNotice } from './enlisted-notice.tsx'
import type { EnlistmentFormProps } from './enlistment-form.tsx'
import { FormTitle, registrationSentences } from './registration-texts.tsx'
import type { Enlisted, RefusedPost } from './use-enlistment.ts'

interface RegisterPageProps {
  registration: RegistrationContext
  component: string
  /** New for each request of the page. */
  idempotencyKey: string
  refused: RefusedPost | undefined
  enlisted: string | null
}

export function RegisterPage(props: RegisterPageProps) {
  const { closed } = props.registration
  // A shown form stays when the office closes registration: the user may be filling it in.
  const [isShown, setShown] = useState(closed === null || props.refused !== undefined)
  if (!isShown && closed === null) setShown(true)
  if (isShown || closed === null) return <OpenRegistration {...props} />
  return (
    <>
      <EnlistedNotice reference={props.enlisted} />
      <ClosedRegistration sentence={closed} />
    </>
  )
}

function OpenRegistration({
  registration,
  component,
  idempotencyKey,
  refused,
  enlisted: reference,
}: RegisterPageProps) {
  const navigate = useNavigate()
  const [enlisted, setEnlisted] = useState<Enlisted>()
  // Decided once: with a page from the network the form's scripts come later, and its HTML must stay.
  const [parts] = useState(loadedParts)
  // Fixed while the form is open: a changed list must not remove an answer.
  const [start] = useState(registration)
  const unsaved = useRef(false)
  useUnsavedWarning(useCallback(() => unsaved.current, []))

  function showConfirmation(result: Enlisted) {
    const { emailSent, emailNotSent, success } = registrationSentences
    const openConfirmation = () => void navigate(confirmationPath)
    showToast({
      type: 'success',
      message: success,
      action: { label: 'Open the confirmation', onSelect: openConfirmation },
    })
    if (result.receipt.emailSent) showToast({ type: 'success', message: emailSent })
    else showToast({ type: 'info', message: emailNotSent })
    setEnlisted(result)
  }

  const EnlistedPanel = loadedParts()?.EnlistedPanel
  if (enlisted && EnlistedPanel) {
    return (
      <EnlistedPanel enlisted={enlisted} nextKey={idempotencyKey} onAgain={() => setEnlisted(undefined)} />
    )
  }
  const form = {
    registration: start,
    component,
    idempotencyKey,
    refused,
    unsaved,
    onEnlisted: showConfirmation,
  }
  // The same element around both: the browser's tree has to be the server's.
  return (
    <>
      <EnlistedNotice reference={reference} />
      {parts ? (
        <div>
          <parts.EnlistmentForm {...form} />
        </div>
      ) : (
        <ServedForm {...form} />
      )}
      <ClosedBanner sentence={registration.closed} />
    </>
  )
}

// One object: with a new one React would replace the server's HTML.
const unsetHtml = { __html: '' }

/**
 * React does not hydrate it with the page (its many fields would double the scripts); the form's
 * scripts load on the first touch.
 */
function ServedForm(props: EnlistmentFormProps) {
  const container = useRef<HTMLDivElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: taken over once, with what the page came with
  useEffect(() => {
    if (!container.current) return
    const startNow = props.refused !== undefined || hasStoredDraft()
    return takeOver(container.current, props, startNow)
  }, [])

  // biome-ignore lint/security/noDangerouslySetInnerHtml: empty, so that React leaves the served HTML alone
  return <div ref={container} suppressHydrationWarning dangerouslySetInnerHTML={unsetHtml} />
}

const question = 'Leave this page? Your answers will be lost.'

/** On reload and close by the browser's dialog, on links by ours. */
function useUnsavedWarning(isUnsaved: () => boolean) {
  useBeforeUnload(
    useCallback(
      (event) => {
        if (isUnsaved()) event.preventDefault()
      },
      [isUnsaved],
    ),
  )

  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved() && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    if (window.confirm(question)) blocker.proceed()
    else blocker.reset()
  }, [blocker])
}

function ClosedRegistration({ sentence }: { sentence: string }) {
  return (
    <div className="page-width py-8 md:py-12">
      <FormTitle />
      <section
        aria-labelledby="closed"
        className="mt-6 max-w-3xl rounded-box border border-edge bg-card p-5 shadow-card sm:p-8"
      >
        <h2 id="closed" className="text-xl font-bold">
          Registration is closed
        </h2>
        <p dir="auto" className="mt-2 text-lg wrap-anywhere">
          {sentence}
        </p>
        <p className="mt-2 text-muted noscript:hidden">
          The form will appear here when registration reopens.
        </p>
        <ButtonLink to="/" variant="outline" className="mt-5">
          Go to the home page
        </ButtonLink>
      </section>
    </div>
  )
}

/**
 * At the foot of the screen, so that nothing moves. Always rendered: a status region announces only
 * changes.
 */
function ClosedBanner({ sentence }: { sentence: string | null }) {
  return (
    <div role="status" className="sticky bottom-0 z-10">
      {sentence !== null && (
        <p className="border-t border-warning bg-warning-soft px-4 py-3 text-warning">
          <span className="font-bold">Registration has closed.</span> <bdi>{sentence}</bdi> Your answers stay
          here.
        </p>
      )}
    </div>
  )
}

// Events that show that a user is about to fill the form in, scrolling taps included.
const touches = ['pointerdown', 'keydown', 'focusin', 'input', 'click'] as const

// In ms; then the form is submitted without its scripts.
const patienceMs = 5_000

/**
 * Hydrates the served form at the first touch. If the scripts can't be loaded it stays a plain form
 * with its input. @param startNow at once, such as to restore a draft @returns the cleanup
 */
function takeOver(container: HTMLElement, props: EnlistmentFormProps, startNow: boolean): () => void {
  let root: Root | undefined
  let loading: Promise<void> | undefined
  let stopWaiting: (() => void) | undefined
  let hideNotice: (() => void) | undefined
  const stopListening = new AbortController()
  const { signal } = stopListening

  function start(): Promise<void> {
    loading ??= load().catch((cause) => {
      // The next touch tries again; the form works without.
      loading = undefined
      throw cause
    })
    return loading
  }

  async function load() {
    const { EnlistmentForm } = await loadParts()
    if (signal.aborted) return
    // React expects the HTML as it was served.
    stopWaiting?.()
    hideNotice?.()
    const served = [...container.childNodes]
    const form = container.querySelector('form')
    await new Promise<void>((resolve, reject) => {
      root = hydrateRoot(
        container,
        <StrictMode>
          <EnlistmentForm {...props} onReady={resolve} />
        </StrictMode>,
        {
          onUncaughtError(cause) {
            // React has emptied the place. The served form comes back with what was typed, and stays plain.
            container.replaceChildren(...served)
            stopListening.abort()
            reject(cause)
          },
        },
      )
    })
    stopListening.abort()
    const rendered = container.querySelector('form')
    if (form && rendered && rendered !== form) copyAnswers(form, rendered)
  }

  // Without scripts the form posts natively: same rules, sentences and record.
  function submitNatively(form: HTMLFormElement) {
    // The browser's own page about the lost connection would take the place of everything typed.
    if (!navigator.onLine) {
      stopWaiting?.()
      stopWaiting = undefined
      hideNotice?.()
      hideNotice = showOffline(form)
      return
    }
    // What arrives from now on comes too late.
    stopListening.abort()
    form.submit()
    // The browser can bring this page back as it was left.
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) stopWaiting?.()
    })
  }

  const begin = () => {
    start().catch(() => undefined)
  }
  for (const type of touches) container.addEventListener(type, begin, { signal, passive: true })
  container.addEventListener(
    'submit',
    (event) => {
      const form = event.target
      if (!(form instanceof HTMLFormElement)) return
      event.preventDefault()
      // Sent once, however often it is pressed.
      if (stopWaiting) return
      // React at work must not find the HTML changed.
      stopWaiting = root ? () => undefined : showWaiting(form)
      withTimeout(start(), patienceMs).then(
        () => container.querySelector('form')?.requestSubmit(),
        () => submitNatively(form),
      )
    },
    { signal },
  )
  if (startNow || wasTouched(container)) begin()

  return () => {
    stopListening.abort()
    // React refuses to take down one tree while it works on another.
    const ended = root
    if (ended) setTimeout(() => ended.unmount())
  }
}

/** Whether the form was touched before the first scripts ran. */
function wasTouched(container: HTMLElement): boolean {
  if (container.contains(document.activeElement)) return true
  const form = container.querySelector('form')
  return form !== null && hasAnswers(form)
}

/**
 * Copies the input to another copy of the form. React renders a new one when the served HTML
 * doesn't match, which translators and browser extensions can cause.
 */
function copyAnswers(from: HTMLFormElement, to: HTMLFormElement): void {
  const answers = new FormData(from)
  for (const control of to.elements) {
    if (control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type)) {
      control.checked = answers.getAll(control.name).includes(control.value)
    } else if (isTyped(control)) {
      const answer = answers.get(control.name)
      if (typeof answer === 'string') control.value = answer
    }
  }
  to.dispatchEvent(new Event('input', { bubbles: true }))
}

function isTyped(control: Element) {
  return (
    control instanceof HTMLInputElement ||
    control instanceof HTMLSelectElement ||
    control instanceof HTMLTextAreaElement
  )
}

/** Shows that the served form is being sent. @returns restores the served HTML */
function showWaiting(form: HTMLFormElement): () => void {
  const button = form.querySelector<HTMLButtonElement>('button[type="submit"]')
  if (!button) return () => undefined
  const label = button.textContent
  button.disabled = true
  button.textContent = registrationSentences.sending
  return () => {
    button.disabled = false
    button.textContent = label
  }
}

/**
 * Shows that the connection is lost, until it is back. @returns restores the served HTML: hydration
 * must match
 */
function showOffline(form: HTMLFormElement): () => void {
  const notice = document.createElement('p')
  notice.role = 'alert'
  notice.className = 'rounded-box bg-warning-soft px-4 py-3 text-warning'
  notice.textContent = registrationSentences.offline
  form.querySelector('button[type="submit"]')?.parentElement?.before(notice)
  const hide = () => notice.remove()
  window.addEventListener('online', hide, { once: true })
  return hide
}

/** Rejects after the limit, in ms. */
export function withTimeout<T>(work: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not done within ${limitMs} ms`)), limitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

interface EnlistmentParts {
  EnlistmentForm: typeof import('./enlistment-form.tsx').EnlistmentForm
  EnlistedPanel: typeof import('./enlisted-panel.tsx').EnlistedPanel
}

let parts: EnlistmentParts | undefined

/** Loads both together: the connection may be lost between them. */
export async function loadParts(): Promise<EnlistmentParts> {
  const [{ EnlistmentForm }, { EnlistedPanel }] = await Promise.all([
    import('./enlistment-form.tsx'),
    import('./enlisted-panel.tsx'),
  ])
  parts = { EnlistmentForm, EnlistedPanel }
  return parts
}

/** On the server always; in the browser after a link to the page. */
function loadedParts(): EnlistmentParts | undefined {
  return parts
}
