import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { RegistrationContext } from '#shared/registration/registration.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { offlineSentence } from '#web/components/offline-links.ts'
import { showToast } from '#web/components/toaster.tsx'
import { protectPage } from '#web/lib/stale-data.ts'
import { abortable, runAfter } from '#web/lib/timers.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { isBeforeEnlistment, noteFormLeft } from './draft-key.ts'
import { EnlistedNotice, FormTitle, mailNotice, registrationSentences } from './registration-texts.tsx'
import { loadedParts, ServedForm } from './served-form.tsx'
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
  useReloadAtChange(props.registration)
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

// The limits of the wait, in ms: a longer timer would fire at once, and a clock that is ahead must not ask all the time.
const longestMs = 2 ** 31 - 1
const shortestMs = 5_000

/** The form appears when enlistment opens, and its notice when it closes. */
function useReloadAtChange(registration: RegistrationContext): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (registration.changesAt === null) return
    const ms = Date.parse(registration.changesAt) - Date.now()
    return runAfter(Math.min(longestMs, Math.max(shortestMs, ms)), () => void revalidate())
  }, [registration, revalidate])
}

function OpenRegistration({
  registration,
  component,
  idempotencyKey,
  refused,
  enlisted: reference,
}: RegisterPageProps) {
  const [enlisted, setEnlisted] = useState<Enlisted>()
  // Decided once: with a page from the network the form's scripts come later, and its HTML must stay.
  const [parts, setParts] = useState(loadedParts)
  // Fixed while the form is open: a changed list must not remove an answer.
  const [start] = useState(registration)
  const unsaved = useRef(false)
  useStayAtFailure(enlisted === undefined)
  useUnsavedWarning(unsaved)
  useEmptyForNext(enlisted === undefined, unsaved)
  useEffect(copyWhenIdle, [])

  function showConfirmation(result: Enlisted) {
    const { receipt } = result
    const notice = mailNotice(receipt)
    showToast('success', registrationSentences.success)
    if (notice) showToast(receipt.emailSent ? 'success' : 'info', notice)
    setEnlisted(result)
  }

  const EnlistedPanel = loadedParts()?.EnlistedPanel
  if (enlisted && EnlistedPanel) {
    return (
      <EnlistedPanel
        enlisted={enlisted}
        nextKey={idempotencyKey}
        onAgain={() => {
          setEnlisted(undefined)
          // The served HTML is gone.
          setParts(loadedParts())
        }}
      />
    )
  }
  const form = {
    registration: start,
    component,
    idempotencyKey,
    refused,
    enlisted: reference,
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

/** For later visits without a connection, in the language of this one. The worker is in the build only. */
function copyWhenIdle() {
  if (!import.meta.env.PROD) return
  const worker = `/sw.js?${document.documentElement.lang}`
  // Safari has no requestIdleCallback.
  const whenIdle = window.requestIdleCallback ?? setTimeout
  whenIdle(
    () => void navigator.serviceWorker?.register(worker, { scope: '/register' }).catch(() => undefined),
  )
}

/** No page that can't be loaded takes the form's place. */
function useStayAtFailure(isForm: boolean) {
  useEffect(() => {
    if (!isForm) return
    return protectPage(() => {
      // The form notes again that it has answers: the next link must ask too.
      shownForm()?.dispatchEvent(new Event('input', { bubbles: true }))
      showToast('warning', offlineSentence)
    })
  }, [isForm])
}

function shownForm() {
  return document.querySelector<HTMLFormElement>('.form-steps form[method]')
}

/** The browser may keep a left page as it was, and show it again to the next student. */
function useEmptyForNext(isForm: boolean, unsaved: RefObject<boolean>) {
  useEffect(() => {
    if (!isForm) return
    return abortable(({ signal }) => {
      const empty = ({ persisted }: PageTransitionEvent) => {
        if (!persisted || !isBeforeEnlistment()) return
        shownForm()?.reset()
        unsaved.current = false
        // The reload gives the form a new key.
        window.location.reload()
      }
      window.addEventListener('pageshow', empty, { signal })
      window.addEventListener('pagehide', noteFormLeft, { signal })
    })
  }, [isForm, unsaved])
}

const question = 'Leave this page? Your enlistment is not submitted yet.'

/**
 * The browser's dialog warns on reload and close, our own on links and Back within the site. The router's blocker isn't
 * used: a step of the form is a history entry of the browser, which the router can't count and warns of.
 */
function useUnsavedWarning(unsaved: RefObject<boolean>) {
  const t = useTranslation()
  const isLeft = useEffectEvent((path: string) => {
    // A switch of the language takes the answers along.
    const isAsked = unsaved.current && path !== window.location.pathname && !path.startsWith('/language/')
    if (!isAsked) return true
    if (!window.confirm(t(question))) return false
    unsaved.current = false
    return true
  })
  useEffect(
    () =>
      abortable(({ signal }) => {
        const follow = (event: MouseEvent) => {
          const link = event.target instanceof Element ? event.target.closest('a') : null
          if (link?.origin !== window.location.origin || link.target !== '' || isLeft(link.pathname)) return
          event.preventDefault()
          event.stopPropagation()
        }
        // Capture: before the router's own.
        document.addEventListener('click', follow, { signal, capture: true })
        const goBack = (event: NavigateEvent) => {
          const { destination, navigationType, cancelable } = event
          if (navigationType !== 'traverse' || !destination.sameDocument || !cancelable) return
          if (!isLeft(new URL(destination.url).pathname)) event.preventDefault()
        }
        // Older versions of Safari and Firefox don't have it.
        window.navigation?.addEventListener('navigate', goBack, { signal })
        const warn = (event: BeforeUnloadEvent) => unsaved.current && event.preventDefault()
        window.addEventListener('beforeunload', warn, { signal })
      }),
    [unsaved],
  )
}

function ClosedRegistration({ sentence }: { sentence: string }) {
  const t = useTranslation()
  return (
    <div className="page-width py-8 md:py-12">
      <FormTitle />
      <section
        aria-labelledby="closed"
        className="mt-6 max-w-3xl rounded-box border border-edge bg-card p-5 shadow-card sm:p-8"
      >
        <h2 id="closed" className="text-xl font-bold">
          {t('Registration is closed')}
        </h2>
        <p dir="auto" className="mt-2 text-lg wrap-anywhere">
          {t(sentence)}
        </p>
        <p className="mt-2 text-muted noscript:hidden">
          {t('The form will appear here when registration reopens.')}
        </p>
        <ButtonLink to="/" variant="outline" className="mt-5">
          Go to the home page
        </ButtonLink>
      </section>
    </div>
  )
}

/** At the foot of the screen, so that nothing moves. Always rendered: a status region announces only changes. */
function ClosedBanner({ sentence }: { sentence: string | null }) {
  const t = useTranslation()
  return (
    <div role="status" className="sticky bottom-0 z-10">
      {sentence !== null && (
        <p className="border-t border-warning bg-warning-soft px-4 py-3 text-warning">
          <span className="font-bold">{t('Registration has closed.')}</span> <bdi>{t(sentence)}</bdi>{' '}
          {t('Your answers stay here.')}
        </p>
      )}
    </div>
  )
}
