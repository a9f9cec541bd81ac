import { Link } from 'react-router'
import { termsPage } from '#web/features/site/terms.ts'
import { TextPage, textLinkClass } from '#web/features/site/text-page.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import type { Route } from './+types/terms'

export function meta({ matches: [, frame], location }: Route.MetaArgs): Route.MetaDescriptors {
  return pageMeta({
    site: frame.loaderData?.site,
    path: location.pathname,
    title: termsPage.title,
    description: 'What the NSTP portal offers, and what it asks of its users.',
  })
}

export default function Terms() {
  const { title, lead, version, sections } = termsPage
  return (
    <TextPage title={title} lead={lead}>
      <div className="max-w-3xl">
        <p className="text-muted">Effective {version}</p>
        {sections.map(({ title, paragraphs }) => (
          <section key={title} className="mt-8">
            <h2 className="text-xl font-bold">{title}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph} className="mt-3">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
        <p className="mt-10 flex flex-wrap gap-x-8">
          <Link to="/privacy" className={`inline-flex min-h-11 items-center ${textLinkClass}`}>
            Privacy notice
          </Link>
          <Link to="/contact" className={`inline-flex min-h-11 items-center ${textLinkClass}`}>
            Contact the office
          </Link>
        </p>
      </div>
    </TextPage>
  )
}
