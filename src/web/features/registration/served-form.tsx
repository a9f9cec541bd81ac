import { StrictMode, useContext, useEffect, useRef } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { translate, type Words } from '#shared/site/translation.ts'
import { submitForm } from '#web/lib/older-browsers.ts'
import { abortable, runAfter } from '#web/lib/timers.ts'
import { WordsContext } from '#web/lib/translation.tsx'
import { hasAnswers, hasDraft, isBeforeEnlistment, isFromHistory, readDraft } from './draft-key.ts'
import type { EnlistmentFormProps } from './enlistment-form.tsx'
import { registrationSentences } from './registration-texts.tsx'

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

/** The loaded parts. The server always has them, the browser after a link to the page. */
export function loadedParts(): EnlistmentParts | undefined {
  return parts
}

// The object is always the same: with a new one React would replace the server's HTML.
const unsetHtml = { __html: '' }

/**
 * React does not hydrate it with the page (its many fields would double the scripts); the form's scripts load at the
 * first touch. Not by Suspense: decision 002.
 */
export function ServedForm(props: EnlistmentFormProps) {
  const container = useRef<HTMLDivElement>(null)
  const words = useContext(WordsContext)

  // biome-ignore lint/correctness/useExhaustiveDependencies: taken over once, with what the page came with
  useEffect(() => (container.current ? takeOver(container.current, props, words) : undefined), [])

  // biome-ignore lint/security/noDangerouslySetInnerHtml: empty, so that React leaves the served HTML alone
  return <div ref={container} suppressHydrationWarning dangerouslySetInnerHTML={unsetHtml} />
}

// Events that show that a user is about to fill the form in, scrolling taps included.
const touches = ['pointerdown', 'keydown', 'focusin', 'input', 'click'] as const

// The longest wait for the form's scripts, in ms. Then the form is submitted without them.
const patienceMs = 5_000

/** Makes the served form one with scripts. Until they are there, and if they never come, it is a plain form. @returns the cleanup */
function takeOver(container: HTMLElement, props: EnlistmentFormProps, words: Words | null): () => void {
  const served = [...container.childNodes]
  const form = container.querySelector('form')
  let root: Root | undefined
  let loading: Promise<void> | undefined
  let isSending = false
  let isOver = false
  /** Takes back what was changed in the served HTML. */
  let restore: (() => void) | undefined

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
    if (isOver) return
    // React expects the HTML as it was served.
    restore?.()
    await new Promise<void>((resolve, reject) => {
      root = hydrateRoot(
        container,
        <StrictMode>
          <WordsContext value={words}>
            <EnlistmentForm {...props} served={form} onReady={resolve} />
          </WordsContext>
        </StrictMode>,
        {
          onUncaughtError(cause) {
            // React has emptied the place. The served form comes back with what was typed, and stays plain.
            container.replaceChildren(...served)
            end()
            reject(cause)
          },
        },
      )
    })
    end()
  }

  async function submit(event: Event) {
    event.preventDefault()
    if (!form || isSending) return
    isSending = true
    restore?.()
    // React at work must not find the HTML changed.
    restore = root ? () => undefined : showWaiting(form, words)
    try {
      await Promise.race([start(), after(patienceMs)])
      // The other one asks for a birth date.
      const ready = container.querySelector<HTMLFormElement>('form[method]')
      if (ready) submitForm(ready)
    } catch {
      restore()
      // The browser's own page about the lost connection would take the place of everything typed.
      if (!navigator.onLine) {
        isSending = false
        restore = showOffline(form, words)
        return
      }
      // What arrives from now on comes too late. The browser can bring this page back as it was left.
      end()
      window.addEventListener('pageshow', ({ persisted }) => persisted && restore?.())
      restore = showWaiting(form, words)
      form.submit()
    }
  }

  // The form's scripts keep the answers over a switch of the language. Without them the page stays.
  async function switchLanguage(event: MouseEvent) {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href*="/language/"]')
    const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey
    if (!link || isElsewhere || !form || !hasAnswers(form)) return
    event.preventDefault()
    try {
      await start()
      link.click()
    } catch {
      // The line that a pressed link shows.
      delete document.documentElement.dataset.leaving
    }
  }

  // A step is left by its plain link only where the answers can't be checked.
  async function goOn(event: Event) {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[data-next]')
    if (!link) return
    event.preventDefault()
    try {
      await Promise.race([start(), after(patienceMs)])
      container.querySelector<HTMLAnchorElement>(`a[data-next][href="${link.hash}"]`)?.click()
    } catch {
      window.location.hash = link.hash
    }
  }

  const begin = () => void start().catch(() => undefined)
  const stopListening = abortable(({ signal }) => {
    for (const type of touches) container.addEventListener(type, begin, { signal, passive: true })
    container.addEventListener('submit', (event) => void submit(event), { signal })
    container.addEventListener('click', (event) => void goOn(event), { signal })
    // This listener runs after the page's listener, which shows that the link was pressed.
    window.addEventListener('click', (event) => void switchLanguage(event), { signal })
  })
  function end() {
    isOver = true
    stopListening()
  }
  if (isFromHistory() && isBeforeEnlistment()) form?.reset()
  const isAnswered = form !== null && hasAnswers(form)
  const isBroughtBack = props.refused !== undefined || readDraft('tab') !== undefined
  if (isBroughtBack || hasDraft() || isAnswered || container.contains(document.activeElement)) begin()
  // An address of a later step, without the answers of the steps before.
  const isLater = /^#step-(?!name$)/.test(window.location.hash)
  if (isLater && !isBroughtBack && !isAnswered) window.location.replace('#step-name')

  return () => {
    end()
    // React refuses to take down one tree while it works on another.
    runAfter(0, () => root?.unmount())
  }
}

/** Shows that the served form is being sent. @returns restores the served HTML */
function showWaiting(form: HTMLFormElement, words: Words | null): () => void {
  const button = form.querySelector<HTMLButtonElement>('button[type="submit"]')
  if (!button) return () => undefined
  const label = button.textContent
  button.disabled = true
  button.textContent = translate(registrationSentences.sending, words)
  return () => {
    button.disabled = false
    button.textContent = label
  }
}

/** Shows that the connection is lost, and submits when it is back. @returns restores the served HTML */
function showOffline(form: HTMLFormElement, words: Words | null): () => void {
  const notice = document.createElement('p')
  notice.role = 'alert'
  notice.className = 'rounded-box bg-warning-soft px-4 py-3 text-warning'
  notice.textContent = translate(registrationSentences.offline, words)
  form.querySelector('button[type="submit"]')?.parentElement?.before(notice)
  const resend = () => submitForm(form)
  window.addEventListener('online', resend, { once: true })
  return () => {
    notice.remove()
    window.removeEventListener('online', resend)
  }
}

function after(ms: number): Promise<never> {
  return new Promise((_, reject) => runAfter(ms, () => reject(new Error(`not done within ${ms} ms`))))
}
