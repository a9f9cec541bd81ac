import type { ReactNode } from 'react'
import { textLinkLook } from '#web/components/text-page.tsx'

/** Nothing but what can be dialled. */
const dialled = /^[\d\s\-+()]+$/

interface ContactDetailsProps {
  /** In the order to show them; '' leaves one out. */
  details: readonly { kind: 'text' | 'email' | 'phone'; label: string; text: string }[]
}

/** How somebody is reached, with links that write or call. */
export function ContactDetails({ details }: ContactDetailsProps) {
  return (
    <dl className="mt-4 flex flex-col gap-4">
      {details
        .filter(({ text }) => text !== '')
        .map(({ kind, label, text }) => (
          <div key={label}>
            <dt className="text-sm font-semibold text-muted">{label}</dt>
            <dd dir="auto" className="wrap-anywhere">
              {linked(kind, text)}
            </dd>
          </div>
        ))}
    </dl>
  )
}

function linked(kind: 'text' | 'email' | 'phone', text: string): ReactNode {
  const look = `inline-flex min-h-11 items-center ${textLinkLook}`
  if (kind === 'email') {
    return (
      <a href={`mailto:${text}`} className={look}>
        {text}
      </a>
    )
  }
  // A number with words to it, such as a local, is dialled by hand.
  if (kind === 'phone' && dialled.test(text)) {
    return (
      <a href={`tel:${text.replaceAll(/[^\d+]/g, '')}`} className={look}>
        {text}
      </a>
    )
  }
  return text
}
