import { TabFrame } from '#web/components/tab-frame.tsx'
import { ServerStatusCard, ToolPage, useServerStatus } from '#web/features/mail/server-status.tsx'
import { staticMeta } from '#web/lib/page-meta.ts'

export const meta = staticMeta({ title: 'Server Test' })

/** Spec §1, /server-test. */
export default function ServerTestPage() {
  const query = useServerStatus()
  return (
    <ToolPage title="Server Test" lead="Server status and queue." onRefresh={() => void query.refetch()}>
      <TabFrame query={query} failure="Failed to load the server status">
        <ServerStatusCard status={query.data ?? null} failed={query.isError} />
      </TabFrame>
    </ToolPage>
  )
}
