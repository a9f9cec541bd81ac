import { Fragment } from 'react'
import { Link } from 'react-router'
import { consentVersion } from '#shared/registration/consent.ts'
import { ContactDetails } from '#web/features/site/contact.tsx'
import { privacyNotice, retentionPlaceholder } from '#web/features/site/privacy-notice.ts'
import { TextPage, textLinkClass } from '#web/features/site/text-page.tsx'
import { pageContext } from '#web/lib/page-context.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSite } from '#web/lib/site.ts'
import type { Route } from './+types/privacy'

export function loader({ context }: Route.LoaderArgs) {
  const { dataProtection } = context.get(pageContext).texts()
  return { dataProtection }
}

export function meta({ matches: [, frame], location }: Route.MetaArgs): Route.MetaDescriptors {
  return pageMeta({
    site: frame.loaderData?.site,
    path: location.pathname,
    title: 'Privacy notice',
    description:
      'What the NSTP enlistment collects and why, who sees it, how long it is kept, and your rights under the Data Privacy Act (Republic Act 10173).',
  })
}

export default function Privacy({ loaderData: { dataProtection } }: Route.ComponentProps) {
  const { recordRetentionYears: years } = useSite()
  const period = years === 1 ? 'one year' : `${years} years`
  const { officer, email, phone } = dataProtection
  return (
    <TextPage title="Privacy notice" lead={privacyNotice.introduction}>
      <div className="max-w-3xl">
        <p className="text-muted">Version {consentVersion}</p>
        {privacyNotice.sections.map(({ title, paragraphs, points }) => (
          <section key={title} className="mt-10">
            <h2 className="text-xl font-bold">{title}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph} className="mt-3">
                {paragraph.replace(retentionPlaceholder, period)}
              </p>
            ))}
            {points.length > 0 && (
              <dl className="mt-4 grid gap-x-6 gap-y-1 md:grid-cols-[12rem_1fr] md:gap-y-3">
                {points.map(({ term, text }) => (
                  <Fragment key={term}>
                    <dt className="font-semibold max-md:mt-3">{term}</dt>
                    <dd className="text-muted">{text}</dd>
                  </Fragment>
                ))}
              </dl>
            )}
          </section>
        ))}
        {/* The last section tells whom to write to. */}
        <ContactDetails
          details={[
            { kind: 'text', label: 'Data protection officer', text: officer },
            { kind: 'email', label: 'E-mail', text: email },
            { kind: 'phone', label: 'Phone', text: phone },
          ]}
        />
        <Link to="/contact" className={`mt-3 inline-flex min-h-11 items-center ${textLinkClass}`}>
          Contact the office
        </Link>
      </div>
    </TextPage>
  )
}
