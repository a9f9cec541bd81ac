import { Pin } from 'lucide-react'

/** Of an announcement that stands before the others. */
export function PinnedMark() {
  return (
    <span className="inline-flex items-center gap-1 text-xs font-semibold text-muted">
      <Pin aria-hidden="true" className="size-3.5" />
      Pinned
    </span>
  )
}
