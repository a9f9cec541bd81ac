import { clsx } from 'clsx'
import { CopyCheck } from 'lucide-react'
import type { DuplicatesFilter } from '#shared/students.ts'
import { Button } from '#web/components/button.tsx'

interface DuplicatesToggleProps {
  shown: DuplicatesFilter
  onShow: (which: DuplicatesFilter) => void
}

/** Narrows the list to records that may be the same person as another one. */
export function DuplicatesToggle({ shown, onShow }: DuplicatesToggleProps) {
  const isOn = shown === 'only'
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-pressed={isOn}
      icon={<CopyCheck aria-hidden="true" className="size-4" />}
      className={clsx('max-md:min-h-11', isOn ? 'bg-warning-soft text-warning' : 'text-muted')}
      onClick={() => onShow(isOn ? 'all' : 'only')}
    >
      Possible duplicates
    </Button>
  )
}
