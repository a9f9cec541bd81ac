import { X } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from './button.tsx'

interface LightDialogProps {
  /** The id of its title. */
  labelledBy: string
  title: ReactNode
  onClose: () => void
  children: ReactNode
}

/**
 * A dialog of the public pages: the browser's own, which weighs nothing. It closes on Escape, on its close button
 * and on a press outside. Whoever opens it puts the focus back.
 */
export function LightDialog({ labelledBy, title, onClose, children }: LightDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  /** Where the press began: text that is marked until outside doesn't close it. */
  const pressedOutside = useRef(false)

  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  const isOutside = ({ target, currentTarget }: MouseEvent) => target === currentTarget
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the mouse's way to close it; the keyboard's is Escape
    <dialog
      ref={dialog}
      aria-labelledby={labelledBy}
      // The browser closes it by itself; after an end from here it is closed before anybody is told.
      onClose={({ currentTarget }) => {
        if (dialog.current === currentTarget && !currentTarget.open) onClose()
      }}
      onMouseDown={(event) => {
        pressedOutside.current = isOutside(event)
      }}
      onClick={(event) => {
        if (pressedOutside.current && isOutside(event)) onClose()
      }}
      // As large as the screen: what isn't the panel is outside.
      className="fixed inset-0 m-0 size-full max-h-none max-w-none grid-rows-[minmax(0,1fr)] place-items-center bg-transparent p-3 text-fg backdrop:bg-pine-deep/60 open:grid sm:p-6"
    >
      <div className="panel-in flex max-h-full w-full max-w-2xl flex-col rounded-box border bg-card shadow-card">
        <header className="flex items-start gap-3 border-b py-2.5 pr-2.5 pl-5">
          <h2
            id={labelledBy}
            dir="auto"
            className="min-w-0 flex-1 self-center py-1 text-lg leading-snug font-bold wrap-anywhere"
          >
            {title}
          </h2>
          <IconButton label="Close" size="md" onClick={onClose}>
            <X aria-hidden="true" className="size-5" />
          </IconButton>
        </header>
        <section
          aria-labelledby={labelledBy}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-5 -outline-offset-2"
        >
          {children}
        </section>
      </div>
    </dialog>
  )
}
