import { ErrorBanner } from '#web/components/error-banner.tsx'
import { MailConversation } from '#web/features/mail/mail-conversation.tsx'
import { loadMailAccount, type MailAccountState, ToolPage } from '#web/features/mail/server-status.tsx'
import { useLiveRevalidation } from '#web/lib/live-revalidation.ts'
import { useInitialRead, useLastValue } from '#web/lib/page-data.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { readDuringNavigation } from '#web/lib/session-end.ts'
import { failureToShow } from '#web/lib/stale-data.ts'
import type { Route } from './+types/email-test'

export function meta({ matches: [, frame] }: Route.MetaArgs): Route.MetaDescriptors {
  return pageMeta({ title: 'Email Test', site: frame.loaderData?.settings })
}

interface Content {
  shown: MailAccountState | null
  failure: string | null
}

// The document has no account; the page reads it.
export function loader(): Content {
  return { shown: null, failure: null }
}

export async function clientLoader({ request }: Route.ClientLoaderArgs): Promise<Content> {
  try {
    const shown = await readDuringNavigation('/email-test', () => loadMailAccount(request.signal))
    return { shown, failure: null }
  } catch (error) {
    return { shown: null, failure: failureToShow(error, request).message }
  }
}

/** Spec §1, /email-test. */
export default function EmailTestPage({ loaderData }: Route.ComponentProps) {
  const { failure } = loaderData
  const shown = useLastValue(loaderData.shown, 'mail-account')
  const readAgain = useInitialRead({ read: loaderData.shown, shown, failure })
  useLiveRevalidation(['mail-account'])
  return (
    <ToolPage
      title="Email Test"
      lead={shown ? leadOf(shown) : 'Tests the mail server and shows its answers.'}
    >
      {failure !== null && <ErrorBanner message={failure} onRetry={readAgain} />}
      <MailConversation isConfigured={shown?.isConfigured ?? null} />
    </ToolPage>
  )
}

function leadOf({ isConfigured, account, message }: MailAccountState): string {
  if (!isConfigured || !account) return message
  return `Sending as ${account.senderAddress} through ${account.host}, port ${account.port}.`
}
