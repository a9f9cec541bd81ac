import type { ServerStatus } from '#shared/mail/server-test.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { loadServerStatus, ServerStatusCard, ToolPage } from '#web/features/mail/server-status.tsx'
import { useLiveRevalidation } from '#web/lib/live-revalidation.ts'
import { useInitialRead, useLastValue } from '#web/lib/page-data.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { readDuringNavigation } from '#web/lib/session-end.ts'
import { failureToShow } from '#web/lib/stale-data.ts'
import type { Route } from './+types/server-test'

export function meta({ matches: [, frame] }: Route.MetaArgs): Route.MetaDescriptors {
  return pageMeta({ title: 'Server Test', site: frame.loaderData?.settings })
}

interface Content {
  status: ServerStatus | null
  failure: string | null
}

// The document has no figures; the page reads them.
export function loader(): Content {
  return { status: null, failure: null }
}

export async function clientLoader({ request }: Route.ClientLoaderArgs): Promise<Content> {
  try {
    const status = await readDuringNavigation('/server-test', () => loadServerStatus(request.signal))
    return { status, failure: null }
  } catch (error) {
    return { status: null, failure: failureToShow(error, request).message }
  }
}

/** Spec §1, /server-test. */
export default function ServerTestPage({ loaderData }: Route.ComponentProps) {
  const { failure } = loaderData
  const status = useLastValue(loaderData.status, 'server-status')
  const readAgain = useInitialRead({ read: loaderData.status, shown: status, failure })
  useLiveRevalidation(['mail', 'mail-account'])
  return (
    <ToolPage title="Server Test" lead="Server status and queue." onRefresh={readAgain}>
      {failure !== null && <ErrorBanner message={failure} onRetry={readAgain} />}
      <ServerStatusCard status={status} failed={failure !== null} />
    </ToolPage>
  )
}
