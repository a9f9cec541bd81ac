import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { SiteTexts } from '#shared/settings/site-texts.ts'
import { useTranslation } from '#web/lib/translation.tsx'

export type OfficeTexts = Pick<SiteTexts, 'contact' | 'officeLinks'>

export interface ContactLine {
  kind: 'text' | 'email' | 'phone' | 'link'
  label: string
  text: string
}

/** How an office is reached, in one order everywhere. */
export function contactLines({
  contact: { address, email, phone, hours },
  officeLinks,
}: OfficeTexts): readonly ContactLine[] {
  const all: ContactLine[] = [
    { kind: 'text', label: 'Address', text: address },
    { kind: 'link', label: 'Map', text: officeLinks.map },
    { kind: 'phone', label: 'Phone', text: phone },
    { kind: 'text', label: 'Office hours', text: hours },
    { kind: 'email', label: 'E-mail', text: email },
    { kind: 'link', label: 'Facebook page', text: officeLinks.facebook },
  ]
  return all.filter(({ text }) => text !== '')
}

// Only numbers that can be dialled.
const dialled = /^[\d\s\-+()]+$/

interface ContactLinkProps extends Pick<ContactLine, 'kind' | 'text'> {
  className: string
  /** What the link says, if not the address itself. */
  label?: string
}

export function ContactLink({ kind, text, className, label = text }: ContactLinkProps): ReactNode {
  const address = addressOf(kind, text)
  if (address === null) return text
  return (
    <a
      href={address}
      {...(kind === 'link' && { rel: 'noreferrer' })}
      className={`inline-flex min-h-11 items-center ${className}`}
    >
      {label}
    </a>
  )
}

function addressOf(kind: ContactLine['kind'], text: string): string | null {
  // A number with words to it, such as a local, is dialled by hand.
  if (kind === 'text' || (kind === 'phone' && !dialled.test(text))) return null
  if (kind === 'link') return text
  return kind === 'email' ? `mailto:${text}` : `tel:${text.replaceAll(/[^\d+]/g, '')}`
}

/** The office at the foot of every page: a line each, links by their names. */
export function OfficeLines({ texts }: { texts: OfficeTexts }) {
  const t = useTranslation()
  const lines = contactLines(texts)
  const isText = ({ kind }: ContactLine) => kind === 'text'
  return (
    <address className="text-sm not-italic md:max-w-64">
      <p dir="auto" className="font-semibold wrap-anywhere">
        {t(texts.contact.office)}
      </p>
      <ul className="flex flex-wrap gap-x-5 text-on-pine-muted">
        {[...lines.filter(isText), ...lines.filter((line) => !isText(line))].map(({ kind, label, text }) => (
          <li key={label} dir="auto" className={clsx('wrap-anywhere', kind === 'text' && 'basis-full')}>
            <ContactLink
              kind={kind}
              text={text}
              label={kind === 'link' ? t(label) : text}
              className="font-medium text-on-pine underline underline-offset-4"
            />
          </li>
        ))}
      </ul>
    </address>
  )
}
