import { useEffect } from 'react'
import { data } from 'react-router'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Confirmation } from '#web/features/registration/confirmation.tsx'
import { noteEnlisted } from '#web/features/registration/draft-key.ts'
import { readReceipt, readUpcoming } from '#web/features/registration/receipt.ts'
import { serverApi } from '#web/lib/api.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { protectPage } from '#web/lib/stale-data.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import type { Route } from './+types/registration-confirmation'

export const meta = staticMeta({ title: 'Registration confirmation' })

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

export async function loader({ context, request }: Route.LoaderArgs) {
  const receipt = await readReceipt(context, request)
  if (!receipt)
    return data({ receipt, events: [] }, { status: 404, headers: { 'Cache-Control': 'no-store' } })
  const events = await readUpcoming(serverApi(context, request))
  // For as long as its cookie lives the browser can show it without a connection; under another cookie it is another page.
  const seconds = Math.max(0, Math.floor((Date.parse(receipt.expires) - Date.now()) / 1000))
  const headers = { 'Cache-Control': `private, max-age=${seconds}`, Vary: 'Cookie' }
  return data({ receipt, events }, { headers })
}

export default function RegistrationConfirmation({ loaderData: { receipt, events } }: Route.ComponentProps) {
  const reference = receipt?.reference
  const t = useTranslation()
  useEffect(() => {
    if (reference === undefined) return
    // After a plain post, nothing else notes the enlistment.
    noteEnlisted(reference)
    return protectPage()
  }, [reference])

  return (
    <div className="page-width py-8 md:py-14 print:p-0">
      {receipt ? (
        <Confirmation
          {...receipt}
          events={events}
          coversCode
          actions={<ButtonLink to="/">Go to the home page</ButtonLink>}
        />
      ) : (
        <div className="mx-auto max-w-2xl">
          <h1 className="sr-only">{t('Registration confirmation')}</h1>
          <EmptyState
            title="No registration to show"
            action={<ButtonLink to="/register">Go to the enlistment form</ButtonLink>}
          >
            You can open your confirmation for one hour, in the browser you registered with. If you lost your
            reference code, have it mailed to you under My NSTP.
          </EmptyState>
        </div>
      )}
    </div>
  )
}
