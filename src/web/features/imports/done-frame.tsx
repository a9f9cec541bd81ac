import { CircleCheck, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Hint } from '#web/components/hint.tsx'

interface DoneFrameProps {
  isUndone: boolean
  title: string
  /** Notes on when it was done and undone, and what it left. */
  notes: ReactNode
  /** Content below the notes. */
  details?: ReactNode
  /** Buttons, and the questions they ask. */
  children: ReactNode
}

/** The last step of an import or a list. */
export function DoneFrame({ isUndone, title, notes, details, children }: DoneFrameProps) {
  return (
    <section
      aria-labelledby="done-title"
      className="flex flex-col gap-4 rounded-box border bg-card p-5 shadow-card"
    >
      <div className="flex items-start gap-3">
        {isUndone ? (
          <Undo2 className="mt-0.5 size-6 shrink-0 text-warning" />
        ) : (
          <CircleCheck className="mt-0.5 size-6 shrink-0 text-success" />
        )}
        <div>
          <h2 id="done-title" className="text-lg font-semibold">
            {title}
          </h2>
          <Hint>{notes}</Hint>
          {details}
        </div>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </section>
  )
}
