import { TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/lib/translation.tsx'
import { IconButton, SmallButton } from './button.tsx'

interface ErrorBannerProps {
  message: ReactNode
  onRetry?: (() => void) | undefined
  onDismiss?: (() => void) | undefined
}

export function ErrorBanner({ message, onRetry, onDismiss }: ErrorBannerProps) {
  const t = useTranslation()
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-box border border-danger bg-danger-soft px-4 py-3 text-danger"
    >
      <TriangleAlert className="mt-0.5 size-5 shrink-0" />
      <p className="min-w-0 flex-1 font-medium">{t(message)}</p>
      {onRetry && <SmallButton onClick={onRetry}>Retry</SmallButton>}
      {onDismiss && <IconButton label="Dismiss" className="-my-1.5 -mr-2" onClick={onDismiss} icon={X} />}
    </div>
  )
}
