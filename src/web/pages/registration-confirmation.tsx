import { useEffect } from 'react'
import { data } from 'react-router'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Confirmation } from '#web/features/registration/confirmation.tsx'
import { dropDraft } from '#web/features/registration/draft-key.ts'
import { callApi, serverApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import type { Route } from './+types/registration-confirmation'

export function meta({ matches: [, frame] }: Route.MetaArgs): Route.MetaDescriptors {
  return pageMeta({ title: 'Registration confirmation', site: frame.loaderData?.site })
}

/** It shows one browser's own registration. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

export async function loader({ context, request }: Route.LoaderArgs) {
  try {
    return { receipt: await callApi(serverApi(context, request).registrations.receipt.$get()) }
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.problem.code !== 'not_found') throw error
    return data({ receipt: null }, { status: 404 })
  }
}

export default function RegistrationConfirmation({ loaderData: { receipt } }: Route.ComponentProps) {
  const isRegistered = receipt !== null
  useEffect(() => {
    // After a plain post nobody else does.
    if (isRegistered) dropDraft()
  }, [isRegistered])

  return (
    <div className="page-width py-8 md:py-14 print:p-0">
      {receipt ? (
        <Confirmation {...receipt} actions={<ButtonLink to="/">Go to the home page</ButtonLink>} />
      ) : (
        <div className="mx-auto max-w-2xl">
          <h1 className="sr-only">Registration confirmation</h1>
          <EmptyState
            title="There is no registration to show here."
            action={<ButtonLink to="/register">Go to the enlistment form</ButtonLink>}
          >
            A confirmation can be opened for one hour, in the browser that the registration was sent from. If
            you have registered and lost your reference code, please ask the NSTP office.
          </EmptyState>
        </div>
      )}
    </div>
  )
}
