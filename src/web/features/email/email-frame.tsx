import { Settings2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import type { EmailPane } from '#web/lib/email-pane.ts'
import type { EmailFrameData } from './email-data.ts'
import { PaneNav } from './pane-nav.tsx'
import { ServiceStatus } from './service-status.tsx'

interface EmailFrameProps {
  pane: EmailPane
  data: EmailFrameData | null
  failed: boolean
  onChange: () => void
  children: ReactNode
}

/** The frame of the e-mail tab: its status, its configuration and the way to its panes (spec §2). */
export function EmailFrame({ pane, data, failed, children }: EmailFrameProps) {
  const panelId = useId()
  const isConfigured = data?.status.isConfigured ?? true
  // Until somebody opens or closes it, it is open as long as there is nothing to send by.
  const [wish, setWish] = useState<boolean | null>(null)
  const isOpen = wish ?? !isConfigured
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-bold tracking-tight">Email System</h1>
        <Button
          variant="outline"
          size="sm"
          className="max-md:min-h-11"
          aria-expanded={isOpen}
          aria-controls={panelId}
          disabled={!data}
          icon={<Settings2 aria-hidden="true" className="size-4" />}
          onClick={() => setWish(!isOpen)}
        >
          Configuration
        </Button>
      </div>
      {!(failed && !data) && <ServiceStatus data={data} />}
      <div id={panelId} className="empty:hidden" />
      <PaneNav pane={pane} unknown={data?.queue?.counts.unknown ?? 0} returned={data?.returned ?? 0} />
      {children}
    </div>
  )
}
