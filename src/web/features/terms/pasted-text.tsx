import type { ReactNode } from 'react'
import { marksMessages } from '#shared/terms/marks.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'

interface PastedTextProps {
  count: number
  /** What is filled in: 'mark' or 'score'. */
  noun: string
  unreadable: readonly string[]
  /** How many lines or cells are beyond the end of the list. */
  beyond: number
  beyondNoun: string
  hasHeading: boolean
  /** What the list keeps. */
  children: ReactNode
}

const mostShown = 10

/** What a block that was copied in a spreadsheet would fill in. */
export function PastedText({
  count,
  noun,
  unreadable,
  beyond,
  beyondNoun,
  hasHeading,
  children,
}: PastedTextProps) {
  const shown = unreadable.slice(0, mostShown).map((text) => text.slice(0, 20))
  const list = `${shown.join(', ')}${unreadable.length > mostShown ? ' …' : ''}`
  return (
    <div className="grid gap-2">
      {hasHeading && <p className="text-sm text-warning">{marksMessages.heading}</p>}
      <p>
        {countOf(count, noun)}
        {unreadable.length > 0 && `, ${figureText(unreadable.length)} can’t be read: ${list}`}
      </p>
      {children && <p className="text-sm text-muted">{children}</p>}
      {beyond > 0 && (
        <p className="text-sm text-warning">
          {countOf(beyond, beyondNoun)} beyond the end of the list {beyond === 1 ? 'is' : 'are'} left out.
        </p>
      )}
    </div>
  )
}
