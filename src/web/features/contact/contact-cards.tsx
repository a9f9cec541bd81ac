import { Link } from 'react-router'
import type { DataProtectionContact, OfficeContact } from '#shared/site-texts.ts'
import { textLinkLook } from '#web/components/text-page.tsx'
import { ContactDetails } from './contact-details.tsx'
import { contactPage } from './contact-texts.ts'

const cardLook = 'rounded-box border bg-card p-5 shadow-card md:p-7'

/** The office: where it is and how to reach it. */
export function OfficeCard({ contact }: { contact: OfficeContact }) {
  const { office, address, email, phone, hours } = contact
  const isKnown = [address, email, phone, hours].some((text) => text !== '')
  return (
    <section aria-labelledby="office" className={cardLook}>
      <h2 id="office" dir="auto" className="text-xl font-bold wrap-anywhere">
        {office}
      </h2>
      {isKnown ? (
        <ContactDetails
          details={[
            { kind: 'text', label: 'Address', text: address },
            { kind: 'email', label: 'E-mail', text: email },
            { kind: 'phone', label: 'Phone', text: phone },
            { kind: 'text', label: 'Office hours', text: hours },
          ]}
        />
      ) : (
        <p className="mt-3">{contactPage.unknown}</p>
      )}
    </section>
  )
}

/** Whom to write to about one's data. */
export function DataProtectionCard({
  contact: { officer, email, phone },
}: {
  contact: DataProtectionContact
}) {
  const isKnown = [officer, email, phone].some((text) => text !== '')
  return (
    <section aria-labelledby="data-protection" className={cardLook}>
      <h2 id="data-protection" className="text-xl font-bold">
        {contactPage.dataTitle}
      </h2>
      <p className="mt-3">{isKnown ? contactPage.data : contactPage.dataUnknown}</p>
      {isKnown && (
        <ContactDetails
          details={[
            { kind: 'text', label: 'Data protection officer', text: officer },
            { kind: 'email', label: 'E-mail', text: email },
            { kind: 'phone', label: 'Phone', text: phone },
          ]}
        />
      )}
      <Link to="/privacy" className={`mt-3 inline-flex min-h-11 items-center ${textLinkLook}`}>
        Privacy notice
      </Link>
    </section>
  )
}

/** What makes a message to the office quick to answer. */
export function BeforeWritingCard() {
  return (
    <section aria-labelledby="before-writing" className={cardLook}>
      <h2 id="before-writing" className="text-xl font-bold">
        {contactPage.beforeTitle}
      </h2>
      <ul className="mt-3 flex list-disc flex-col gap-2 pl-5">
        {contactPage.before.map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
      <Link to="/faq" className={`mt-3 inline-flex min-h-11 items-center ${textLinkLook}`}>
        Frequently asked questions
      </Link>
    </section>
  )
}
