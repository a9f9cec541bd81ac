import { useQuery } from '@tanstack/react-query'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { MailConversation } from '#web/features/mail/mail-conversation.tsx'
import { ToolPage } from '#web/features/mail/server-status.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { staticMeta } from '#web/lib/page-meta.ts'

export const meta = staticMeta({ title: 'Email Test' })

/** Spec §1, /email-test. */
export default function EmailTestPage() {
  const query = useQuery({
    queryKey: ['mail-account'],
    queryFn: ({ signal }) => callApi(api.mail.account.$get(undefined, { init: { signal } })),
  })
  const { account, status } = query.data ?? {}
  const lead = account
    ? `Sending as ${account.senderAddress} through ${account.host}, port ${account.port}.`
    : status?.message
  return (
    <ToolPage title="Email Test" lead={lead ?? 'Tests the mail server and shows its answers.'}>
      <TabFrame query={query} failure="Failed to load the e-mail account">
        <MailConversation isConfigured={status?.isConfigured ?? null} />
      </TabFrame>
    </ToolPage>
  )
}
