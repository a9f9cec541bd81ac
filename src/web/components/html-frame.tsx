import { clsx } from 'clsx'
import { type SyntheticEvent, useState } from 'react'

/** Room for a few lines, until the content is measured. */
const leastHeight = 160

interface HtmlFrameProps {
  /** What is in the frame, for screen readers. */
  title: string
  /** A whole document. */
  html: string
  className?: string
}

/**
 * Shows an HTML document in a frame as high as its content. It is inert: no scripts, forms, pop-ups or navigation,
 * and the page's own policy holds for it too. It keeps the page's origin only so that its height can be read and
 * pictures of this site are shown.
 */
export function HtmlFrame({ title, html, className }: HtmlFrameProps) {
  const [height, setHeight] = useState(leastHeight)

  function fit({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) {
    const body = currentTarget.contentDocument?.body
    if (!body) return
    // Measured while the frame is low: a document is never lower than its frame.
    currentTarget.style.height = `${leastHeight}px`
    const wanted = Math.max(leastHeight, currentTarget.contentDocument?.documentElement.scrollHeight ?? 0)
    currentTarget.style.height = `${wanted}px`
    setHeight(wanted)
  }

  return (
    <iframe
      title={title}
      sandbox="allow-same-origin"
      srcDoc={html}
      onLoad={fit}
      style={{ height }}
      // Mail is written for white paper, whatever the page's scheme.
      className={clsx('block w-full rounded-box border bg-white scheme-light', className)}
    />
  )
}
