import { Settings2 } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import type { EmailPane } from '#web/lib/email-pane.ts'
import { ConfigPanel } from './config-panel.tsx'
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
export function EmailFrame({ pane, data, failed, onChange, children }: EmailFrameProps) {
  const panelId = useId()
  const isConfigured = data?.status.isConfigured ?? true
  // Until somebody opens or closes it, it is open as long as there is nothing to send by.
  const [wish, setWish] = useState<boolean | null>(null)
  const isOpen = wish ?? !isConfigured
  const button = useRef<HTMLButtonElement>(null)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-bold tracking-tight">Email System</h1>
        <Button
          ref={button}
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
      {/* It stays while it is closed: what is typed in it isn't lost. */}
      <div id={panelId} hidden={!isOpen}>
        {data && (
          <ConfigPanel
            account={data.account}
            defaults={data.defaults}
            status={data.status}
            onChange={() => {
              setWish(null)
              button.current?.focus()
              onChange()
            }}
          />
        )}
      </div>
      <PaneNav pane={pane} unknown={data?.queue.counts.unknown ?? 0} returned={data?.returned ?? 0} />
      {children}
    </div>
  )
}
