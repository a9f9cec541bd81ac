import { countOf } from '#web/lib/count-text.ts'

interface RecipientCountProps {
  count: number
  noun: string
  /** Who gets no mail, and why: '12 opted out'. */
  leftOut: readonly string[]
}

/** How many will get the mail, and who is left out. */
export function RecipientCount({ count, noun, leftOut }: RecipientCountProps) {
  return (
    <div role="status" className="rounded-box bg-soft px-4 py-2.5 text-sm">
      <p className="font-semibold tabular-nums">{countOf(count, noun)} will get it.</p>
      {leftOut.length > 0 && <p className="text-muted tabular-nums">Left out: {leftOut.join(' · ')}.</p>}
    </div>
  )
}
