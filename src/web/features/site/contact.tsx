import type { ReactNode } from 'react'
import type { SiteTexts } from '#shared/settings/site-texts.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { type ContactLine, ContactLink, contactLines, type OfficeTexts } from './office-lines.tsx'
import { TextLink, textLinkClass } from './text-page.tsx'

export function OfficeCard({ texts }: { texts: OfficeTexts }) {
  const lines = contactLines(texts)
  const t = useTranslation()
  return (
    <Card id="office" title={texts.contact.office}>
      {lines.length > 0 ? (
        <ContactDetails details={lines} />
      ) : (
        <p className="mt-3">{t(contactPage.unknown)}</p>
      )}
    </Card>
  )
}

export function DataProtectionCard({ contact }: { contact: SiteTexts['dataProtection'] }) {
  const t = useTranslation()
  const isKnown = [contact.officer, contact.email, contact.phone].some((text) => text !== '')
  return (
    <Card id="data-protection" title={contactPage.dataTitle}>
      <p className="mt-3">{t(isKnown ? contactPage.data : contactPage.dataFallback)}</p>
      {isKnown && <DataProtectionDetails contact={contact} />}
      <TextLink to="/privacy">Privacy notice</TextLink>
    </Card>
  )
}

export function DataProtectionDetails({
  contact: { officer, email, phone },
}: {
  contact: SiteTexts['dataProtection']
}) {
  return (
    <ContactDetails
      details={[
        { kind: 'text', label: 'Data protection officer', text: officer },
        { kind: 'email', label: 'E-mail', text: email },
        { kind: 'phone', label: 'Phone', text: phone },
      ]}
    />
  )
}

export function BeforeWritingCard() {
  const t = useTranslation()
  return (
    <Card id="before-writing" title={contactPage.beforeTitle}>
      <ul className="mt-3 flex list-disc flex-col gap-2 pl-5">
        {contactPage.before.map((hint) => (
          <li key={hint}>{t(hint)}</li>
        ))}
      </ul>
      <TextLink to="/faq">Frequently asked questions</TextLink>
    </Card>
  )
}

function Card({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  const t = useTranslation()
  return (
    <section aria-labelledby={id} className="rounded-box border bg-card p-5 shadow-card md:p-7">
      <h2 id={id} dir="auto" className="text-xl font-bold wrap-anywhere">
        {t(title)}
      </h2>
      {children}
    </section>
  )
}

interface ContactDetailsProps {
  details: readonly ContactLine[]
}

function ContactDetails({ details }: ContactDetailsProps) {
  const t = useTranslation()
  return (
    <dl className="mt-4 flex flex-col gap-4">
      {details
        .filter(({ text }) => text !== '')
        .map(({ kind, label, text }) => (
          <div key={label}>
            <dt className="text-sm font-semibold text-muted">{t(label)}</dt>
            <dd dir="auto" className="wrap-anywhere">
              <ContactLink kind={kind} text={text} className={textLinkClass} />
            </dd>
          </div>
        ))}
    </dl>
  )
}

export const contactPage = {
  title: 'Contact',
  lead: 'The NSTP office helps with enlistment, records and questions about the program.',
  unknown:
    'The office has not added its contact details yet. Ask your school for the NSTP office or coordinator, or check the announcements.',
  dataTitle: 'About your personal data',
  data: 'To see, correct, get a copy of or delete your data, or to complain about how it is used:',
  dataFallback:
    'Write to the NSTP office, attention NSTP coordinator. The office forwards your request to the school’s data protection officer if needed.',
  beforeTitle: 'Before you write',
  before: [
    'Include your reference code if you have one. Without it, give your full name, course and year.',
    'Do not send your social security number or a photo of an ID unless the office asks for it.',
    'Check the FAQ first.',
  ],
} as const
