import type { ReactNode } from 'react'
import { useTranslation } from '#web/lib/translation.tsx'
import type { IconType } from './button.tsx'

interface EmptyStateProps {
  icon?: IconType
  title: string
  children?: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  const t = useTranslation()
  return (
    <div className="flex flex-col items-center gap-2 rounded-box border border-dashed border-edge px-6 py-12 text-center">
      {Icon && <Icon className="mb-1 size-8 text-muted" />}
      <p className="font-semibold">{t(title)}</p>
      {children && <p className="max-w-md text-sm text-muted">{t(children)}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}
