import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/lib/translation.tsx'

export type BadgeTone = 'neutral' | 'success' | 'warning' | 'danger' | 'info' | 'olive' | 'blue' | 'amber'

const tones: Record<BadgeTone, string> = {
  neutral: 'bg-soft text-muted',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
  info: 'bg-info-soft text-info',
  olive: 'bg-olive-soft text-olive',
  blue: 'bg-blue-soft text-blue',
  amber: 'bg-amber-soft text-amber',
}

/** The word carries the meaning, not the colour. */
export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  const t = useTranslation()
  return (
    <span
      className={clsx(
        'inline-flex items-center rounded-full px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap',
        tones[tone],
      )}
    >
      {t(children)}
    </span>
  )
}
