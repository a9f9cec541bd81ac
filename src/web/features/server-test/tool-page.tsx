import { ArrowLeft, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#web/components/button.tsx'

interface ToolPageProps {
  title: string
  lead: string
  /** Offers to read what is shown again. */
  onRefresh?: () => void
  children: ReactNode
}

/** One of the administrator's tools on a page of its own, with the way back to the e-mail screen. */
export function ToolPage({ title, lead, onRefresh, children }: ToolPageProps) {
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-2xl font-bold tracking-tight">{title}</h1>
          <p className="mt-1 wrap-anywhere text-muted">{lead}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {onRefresh && (
            <Button
              variant="outline"
              size="sm"
              className="max-md:min-h-11"
              icon={<RefreshCw aria-hidden="true" className="size-4" />}
              onClick={onRefresh}
            >
              Refresh
            </Button>
          )}
          <ButtonLink
            to="/admin?tab=email&pane=server"
            variant="outline"
            size="sm"
            className="max-md:min-h-11"
            icon={<ArrowLeft aria-hidden="true" className="size-4" />}
          >
            Back to Email System
          </ButtonLink>
        </div>
      </div>
      {children}
    </div>
  )
}
