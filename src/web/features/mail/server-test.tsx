import { ExternalLink } from 'lucide-react'
import type { ServerStatus } from '#shared/mail/mail-response.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { MailConversation } from './mail-conversation.tsx'
import { ServerStatusCard } from './server-status.tsx'

interface ServerTestProps {
  isConfigured: boolean
  status: ServerStatus | null
  failed: boolean
}

/** Spec §2. */
export function ServerTest({ isConfigured, status, failed }: ServerTestProps) {
  return (
    <div className="flex flex-col gap-4">
      <ServerStatusCard status={status} failed={failed} />
      <MailConversation isConfigured={isConfigured} />
      <nav aria-label="Test pages" className="flex flex-wrap gap-2">
        <ToolLink to="/server-test">Server status on its own page</ToolLink>
        <ToolLink to="/email-test">Mail server on its own page</ToolLink>
      </nav>
    </div>
  )
}

function ToolLink({ to, children }: { to: string; children: string }) {
  return (
    <ButtonLink
      to={to}
      variant="ghost"
      size="sm"
      className="max-md:min-h-11"
      icon={<ExternalLink aria-hidden="true" className="size-4" />}
    >
      {children}
    </ButtonLink>
  )
}
