import { data } from 'react-router'
import type { AnnouncementChoice } from '#shared/mail/mail-response.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { uncachedHeaders } from '#web/lib/administrator.ts'
import { callApi, orErrorPage, serverApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { readForm } from '#web/lib/posted-form.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import type { Route } from './+types/unsubscribe'

export const meta = staticMeta({ title: 'Announcements by e-mail' })

// Belongs to one address.
export const headers = uncachedHeaders

export async function loader({ context, request }: Route.LoaderArgs) {
  try {
    const query = { token: tokenOf(request) }
    return {
      choice: await callApi(serverApi(context, request).mail['opt-out'].$get({ query })),
      problem: null,
    }
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.problem.code !== 'not_found') {
      return await orErrorPage(Promise.reject(error))
    }
    return data({ choice: null, problem: error.problem.detail }, { status: 404 })
  }
}

/**
 * The button's plain post, and the one-click unsubscribe of mail programs (RFC 8058: `List-Unsubscribe=One-Click`, without a cookie or an
 * origin, and answered without a redirect).
 */
export async function action({ context, request }: Route.ActionArgs) {
  const form = await readForm(request)
  const json = { token: tokenOf(request), announcements: form.get('announcements') === 'yes' }
  return await orErrorPage(callApi(serverApi(context, request).mail['opt-out'].$post({ json })))
}

export default function Unsubscribe({ loaderData: { choice, problem }, actionData }: Route.ComponentProps) {
  const t = useTranslation()
  return (
    <div className="page-width py-10 md:py-14">
      <div className="mx-auto max-w-xl">
        {choice ? (
          <AnnouncementChoiceForm choice={choice} isChanged={actionData !== undefined} />
        ) : (
          <>
            <h1 className="sr-only">{t('Announcements by e-mail')}</h1>
            <EmptyState
              title="This link is incomplete or has expired."
              action={<ButtonLink to="/contact">Contact the office</ButtonLink>}
            >
              {problem}
            </EmptyState>
          </>
        )}
      </div>
    </div>
  )
}

/** A plain form: it works without scripts. */
function AnnouncementChoiceForm({ choice, isChanged }: { choice: AnnouncementChoice; isChanged: boolean }) {
  const t = useTranslation()
  const { address, announcements } = choice
  const [title, text, label] = announcements
    ? [
        'Announcements by e-mail',
        'receives announcements from the NSTP office.',
        'Stop announcements by e-mail',
      ]
    : [
        'Announcements by e-mail stopped',
        'no longer receives announcements from the NSTP office.',
        'Resume announcements by e-mail',
      ]
  return (
    <section className="rounded-box border bg-card p-5 shadow-card sm:p-8">
      <h1 className="text-2xl font-bold tracking-tight">{t(title)}</h1>
      <p role={isChanged ? 'status' : undefined} className="mt-3 text-lg wrap-anywhere">
        <strong>
          <AddressText text={address} />
        </strong>{' '}
        {t(text)}
      </p>
      <p className="mt-2 text-muted">
        {t('Messages about your own enlistment, such as its confirmation, are still sent.')}
      </p>
      <form method="post" className="mt-6">
        <Button
          type="submit"
          name="announcements"
          value={announcements ? 'no' : 'yes'}
          variant={announcements ? 'primary' : 'outline'}
          className="max-sm:w-full"
        >
          {label}
        </Button>
      </form>
    </section>
  )
}

function tokenOf(request: Request): string {
  return new URL(request.url).searchParams.get('token') ?? ''
}
