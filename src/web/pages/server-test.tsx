import { ServerStatusCard, ToolPage } from '#web/features/mail/server-status.tsx'
import { staticMeta } from '#web/lib/page-meta.ts'
import { useReadAgain } from '#web/lib/query.ts'

export const meta = staticMeta({ title: 'Server Test' })

/** Spec §1, /server-test. */
export default function ServerTestPage() {
  const readAgain = useReadAgain('mail', 'mail-account')
  return (
    <ToolPage title="Server Test" lead="Server status and queue." onRefresh={() => void readAgain()}>
      <ServerStatusCard />
    </ToolPage>
  )
}
