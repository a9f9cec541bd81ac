import { useCallback, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { RegistrationDesk } from '#shared/registration.ts'
import { showToast } from '#web/components/toaster.tsx'
import { ClosedBanner, ClosedDesk } from './closed-desk.tsx'
import { confirmationPath, EnlistedNotice } from './enlisted-notice.tsx'
import { loadedParts } from './enlistment-parts.ts'
import { registrationSentences } from './registration-sentences.ts'
import { ServedForm } from './served-form.tsx'
import type { Enlisted, RefusedPost } from './use-enlistment.ts'
import { useUnsavedWarning } from './use-unsaved-warning.ts'

interface RegisterPageProps {
  desk: RegistrationDesk
  /** New for each request of the page. */
  idempotencyKey: string
  /** A plain form post that was refused. */
  refused: RefusedPost | undefined
  /** The reference of this browser's latest enlistment. */
  enlisted: string | null
}

/** The enlistment form, or what the office says while registration is closed. */
export function RegisterPage(props: RegisterPageProps) {
  const { closed } = props.desk
  // Once it is shown, somebody may be filling it in: it stays, whatever the office decides meanwhile.
  const [isShown, setShown] = useState(closed === null || props.refused !== undefined)
  if (!isShown && closed === null) setShown(true)
  if (isShown || closed === null) return <OpenDesk {...props} />
  return (
    <>
      <EnlistedNotice reference={props.enlisted} />
      <ClosedDesk sentence={closed} />
    </>
  )
}

/** The form, and the confirmation that takes its place. */
function OpenDesk({ desk, idempotencyKey, refused, enlisted: reference }: RegisterPageProps) {
  const navigate = useNavigate()
  const [enlisted, setEnlisted] = useState<Enlisted>()
  // Decided once: with a page from the network the form's scripts come later, and its HTML must stay.
  const [parts] = useState(loadedParts)
  // For as long as the form stands: a list that changes meanwhile must not take an answer away.
  const [start] = useState(desk)
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
  const form = { desk: start, idempotencyKey, refused, unsaved, onEnlisted: showConfirmation }
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
      <ClosedBanner sentence={desk.closed} />
    </>
  )
}
