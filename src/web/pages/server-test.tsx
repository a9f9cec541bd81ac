import { ServerStatusCard, ToolPage } from '#web/features/mail/server-status.tsx'
import { staticMeta } from '#web/lib/page-meta.ts'
import { useReadAgain } from '#web/lib/query.ts'

export const meta = staticMeta({ title: 'Server Test' })

/** Product 17.11. */
export default function ServerTestPage() {
  const readAgain = useReadAgain('mail', 'mail-account')
  return (
    <ToolPage title="Server Test" lead="Server status and queue." onRefresh={() => void readAgain()}>
      <ServerStatusCard />
    </ToolPage>
  )
}
