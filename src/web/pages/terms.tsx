import { TextLink, TextPage, TextSection } from '#web/features/site/text-page.tsx'
import terms from '#web/features/site/texts/terms.json' with { type: 'json' }
import { staticMeta } from '#web/lib/page-meta.ts'
import { useTranslation } from '#web/lib/translation.tsx'

export const meta = staticMeta({
  title: terms.title,
  description: 'What the NSTP portal offers, and what it asks of its users.',
})

export default function Terms() {
  // When the terms change, their version does too.
  const { title, lead, version, sections } = terms
  const t = useTranslation()
  return (
    <TextPage title={title} lead={lead}>
      <div className="max-w-3xl">
        <p className="text-muted">
          {t('Effective')} {version}
        </p>
        {sections.map((section) => (
          <TextSection key={section.title} {...section} />
        ))}
        <p className="mt-7 flex flex-wrap gap-x-8">
          <TextLink to="/privacy">Privacy notice</TextLink>
          <TextLink to="/contact">Contact the office</TextLink>
        </p>
      </div>
    </TextPage>
  )
}
