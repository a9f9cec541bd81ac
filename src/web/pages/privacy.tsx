import { Fragment } from 'react'
import { consentVersion } from '#shared/consent.ts'
import { privacyNotice, retentionPlace } from '#web/features/privacy/privacy-notice.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSite } from '#web/lib/site.ts'
import type { Route } from './+types/privacy'

export function meta({ matches: [, frame] }: Route.MetaArgs): Route.MetaDescriptors {
  return pageMeta({
    site: frame.loaderData?.site,
    title: 'Privacy notice',
    description:
      'What the NSTP enlistment collects and why, who sees it, how long it is kept, and your rights under the Data Privacy Act (Republic Act 10173).',
  })
}

export default function Privacy() {
  const { recordRetentionYears: years } = useSite()
  const period = years === 1 ? 'one year' : `${years} years`
  return (
    <article className="page-width py-10 md:py-16">
      <div className="max-w-3xl">
        <h1 className="text-3xl font-bold tracking-tight md:text-4xl">Privacy notice</h1>
        <p className="mt-2 text-muted">Version {consentVersion}</p>
        <p className="mt-4 text-lg">{privacyNotice.introduction}</p>
        {privacyNotice.sections.map(({ title, paragraphs, points }) => (
          <section key={title} className="mt-10">
            <h2 className="text-xl font-bold">{title}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph} className="mt-3">
                {paragraph.replace(retentionPlace, period)}
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
      </div>
    </article>
  )
}
