import type { ReactNode } from 'react'
import { figureText } from '#web/lib/number-texts.ts'
import { Button } from './button.tsx'

interface SelectionBarProps {
  /** How many are selected. */
  size: number
  onClear: () => void
  children: ReactNode
}

export function SelectionBar({ size, onClear, children }: SelectionBarProps) {
  return (
    // The bar is below the list for the eye, so that no row moves when it comes.
    <div
      className={
        size === 0
          ? 'sr-only'
          : 'sticky bottom-0 z-10 order-1 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-t-box border bg-card px-3 py-2 text-sm whitespace-nowrap shadow-card print:hidden'
      }
    >
      {/* Always rendered: a status is read out only when it changes. */}
      <p role="status" className="font-semibold empty:hidden">
        {size > 0 && `${figureText(size)} selected`}
      </p>
      {size > 0 && (
        <>
          <Button
            variant="ghost"
            size="sm"
            className="text-primary underline max-md:ml-auto"
            onClick={onClear}
          >
            Clear selection
          </Button>
          {children}
        </>
      )}
    </div>
  )
}
