import { TabFrame } from '#web/components/tab-frame.tsx'
import { useEmailFrame } from '#web/features/mail/email-data.ts'
import { MailConversation } from '#web/features/mail/mail-conversation.tsx'
import { ToolPage } from '#web/features/mail/server-status.tsx'
import { staticMeta } from '#web/lib/page-meta.ts'

export const meta = staticMeta({ title: 'Email Test' })

/** Product 17.11. */
export default function EmailTestPage() {
  const query = useEmailFrame()
  const { account, status } = query.data ?? {}
  const lead = account
    ? `Sending as ${account.senderAddress} through ${account.host}, port ${account.port}.`
    : status?.message
  return (
    <ToolPage title="Email Test" lead={lead ?? 'Tests the mail server and shows its answers.'}>
      <TabFrame query={query} failure="Failed to load the e-mail account">
        <MailConversation />
      </TabFrame>
    </ToolPage>
  )
}
