import type { ReactNode } from 'react'
import { Button } from '#web/components/button.tsx'
import { figureText } from '#web/lib/count-text.ts'
import type { Selection } from './selection.ts'

/** The warning of an act on a selection that holds nobody (spec §5). */
export const nothingSelected = 'No students selected for archiving'

/** How many are selected, what can be done with them, and the way back to none. */
export function SelectionBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  const { size } = selection.ids
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {/* Stands there always: what a status says is read out only when it changes. */}
      <p role="status" className="font-semibold empty:hidden">
        {size > 0 && `${figureText(size)} selected`}
      </p>
      {size > 0 && (
        <>
          {children}
          <Button variant="ghost" size="sm" className="text-primary underline" onClick={selection.clear}>
            Clear selection
          </Button>
        </>
      )}
    </div>
  )
}
