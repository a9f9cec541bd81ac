import { StrictMode } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { inTime } from '#web/lib/in-time.ts'
import { copyAnswers } from './answer-copy.ts'
import type { EnlistmentFormProps } from './enlistment-form.tsx'
import { loadParts } from './enlistment-parts.ts'
import { hasAnswers } from './has-answers.ts'
import { showOffline, showWaiting } from './waiting-submit.ts'

/** Whatever shows that somebody is about to fill the form in. A tap that scrolls is one of them. */
const touches = ['pointerdown', 'keydown', 'focusin', 'input', 'click'] as const

/** How long a submit waits for the form's scripts before it goes without them, in milliseconds. */
const patienceMs = 5_000

/**
 * Brings the server's HTML of the form to life at the first touch. Until then it is a plain form, and stays
 * one if its scripts can't be had: nothing here ever replaces what was typed.
 *
 * @param startNow when there is a reason not to wait, such as answers to bring back
 * @returns stops it all
 */
export function takeOver(container: HTMLElement, props: EnlistmentFormProps, startNow: boolean): () => void {
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
    const living = container.querySelector('form')
    if (form && living && living !== form) copyAnswers(form, living)
  }

  /** Without its scripts the form posts itself: the same rules, sentences and record. */
  function postPlainly(form: HTMLFormElement) {
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
      inTime(start(), patienceMs).then(
        () => container.querySelector('form')?.requestSubmit(),
        () => postPlainly(form),
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

/** Somebody was faster than the page's first scripts. */
function wasTouched(container: HTMLElement): boolean {
  if (container.contains(document.activeElement)) return true
  const form = container.querySelector('form')
  return form !== null && hasAnswers(form)
}
