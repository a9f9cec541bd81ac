import { useCallback, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { RegistrationOffer } from '#shared/registration.ts'
import { showToast } from '#web/components/toaster.tsx'
import { loadedParts } from './enlistment-parts.ts'
import { registrationSentences } from './registration-sentences.ts'
import { ServedForm } from './served-form.tsx'
import type { Enlisted, RefusedPost } from './use-enlistment.ts'
import { useUnsavedWarning } from './use-unsaved-warning.ts'

interface RegisterPageProps {
  offer: RegistrationOffer
  /** New for each request of the page. */
  idempotencyKey: string
  /** A plain form post that was refused. */
  refused: RefusedPost | undefined
}

/** The enlistment form, and the confirmation that takes its place. */
export function RegisterPage({ offer, idempotencyKey, refused }: RegisterPageProps) {
  const navigate = useNavigate()
  const [enlisted, setEnlisted] = useState<Enlisted>()
  // Decided once: with a page from the network the form's scripts come later, and its HTML must stay.
  const [parts] = useState(loadedParts)
  const unsaved = useRef(false)
  useUnsavedWarning(useCallback(() => unsaved.current, []))

  function showConfirmation(result: Enlisted) {
    const { emailSent, emailNotSent, success } = registrationSentences
    const openConfirmation = () => void navigate('/register/confirmation')
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
  if (enlisted && EnlistedPanel) return <EnlistedPanel enlisted={enlisted} />
  const form = { offer, idempotencyKey, refused, unsaved, onEnlisted: showConfirmation }
  // The same element around both: the browser's tree has to be the server's.
  return parts ? (
    <div>
      <parts.EnlistmentForm {...form} />
    </div>
  ) : (
    <ServedForm {...form} />
  )
}
