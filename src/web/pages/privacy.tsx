import { Fragment } from 'react'
import { consentVersion, unnamedOffice } from '#shared/registration/consent.ts'
import { DataProtectionDetails } from '#web/features/site/contact.tsx'
import { TextLink, TextPage, TextSection } from '#web/features/site/text-page.tsx'
import privacyNotice from '#web/features/site/texts/privacy-notice.json' with { type: 'json' }
import { pageContext } from '#web/lib/page-context.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { useSite } from '#web/lib/site.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import type { Route } from './+types/privacy'

export function loader({ context }: Route.LoaderArgs) {
  const page = context.get(pageContext)
  return { dataProtection: page.texts().dataProtection, isNamed: page.registration().isOfficeNamed }
}

export const meta = staticMeta({
  title: 'Privacy notice',
  description:
    'What the NSTP enlistment collects and why, who sees it, how long it is stored, and your rights under the Data Privacy Act (Republic Act 10173).',
})

/**
 * Republic Act 10173, sections 11 to 20, and its implementing rules. A school that words the notice otherwise changes
 * its text and the version in #shared/registration/consent.ts: records name the version that their registrant agreed to.
 */
export default function Privacy({ loaderData: { dataProtection, isNamed } }: Route.ComponentProps) {
  const { recordRetentionYears: years } = useSite()
  const t = useTranslation()
  const period = years === 1 ? 'one year' : `${years} years`
  return (
    <TextPage title="Privacy notice" lead={privacyNotice.introduction}>
      <div className="max-w-3xl">
        <p className="text-muted">
          {t('Version')} {consentVersion}
        </p>
        {privacyNotice.sections.map(({ title, paragraphs, points }) => (
          <TextSection
            key={title}
            title={title}
            paragraphs={paragraphs.map((paragraph) => t(paragraph).replace('{years}', t(period)))}
          >
            {points.length > 0 && (
              <div className="@container">
                <dl className="mt-4 grid grid-cols-1 gap-x-6 gap-y-1 @min-[40rem]:grid-cols-[12rem_minmax(0,1fr)] @min-[40rem]:gap-y-3">
                  {points.map(({ term, text }) => (
                    <Fragment key={term}>
                      <dt className="font-semibold @max-[40rem]:mt-3">{t(term)}</dt>
                      <dd className="text-muted">{t(text)}</dd>
                    </Fragment>
                  ))}
                </dl>
              </div>
            )}
          </TextSection>
        ))}
        {/* The last section tells whom to write to. */}
        <DataProtectionDetails contact={dataProtection} />
        {!isNamed && <p className="mt-4 font-semibold">{t(unnamedOffice)}</p>}
        <TextLink to="/contact">Contact the office</TextLink>
      </div>
    </TextPage>
  )
}
