import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import './printed-pages.css'

interface PrintedPagesProps {
  /** The class of the pages' format. */
  className: string
  onPrinted: () => void
  children: ReactNode
}

/** Opens the print window with these pages in the place of the screen. */
export function PrintedPages({ className, onPrinted, children }: PrintedPagesProps) {
  const frame = useRef<HTMLDivElement>(null)
  const done = useEffectEvent(onPrinted)
  useEffect(() => {
    let isLeft = false
    window.addEventListener('afterprint', done)
    const pictures = [...(frame.current?.querySelectorAll('img') ?? [])]
    // A missing picture holds up no print.
    void Promise.allSettled(pictures.map((picture) => picture.decode())).then(() => {
      if (!isLeft) window.print()
    })
    return () => {
      isLeft = true
      window.removeEventListener('afterprint', done)
    }
  }, [])
  return createPortal(
    <div ref={frame} className={`printed-pages ${className}`}>
      {children}
    </div>,
    document.body,
  )
}
