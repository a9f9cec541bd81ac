import { ButtonLink } from '#web/components/button.tsx'
import { QuestionItem } from '#web/features/site/questions.tsx'
import { TextPage } from '#web/features/site/text-page.tsx'
import faq from '#web/features/site/texts/faq.json' with { type: 'json' }
import { staticMeta } from '#web/lib/page-meta.ts'
import { useTranslation } from '#web/lib/translation.tsx'

export const meta = staticMeta({
  title: faq.title,
  description:
    'Answers about NSTP enlistment: who registers and how, what you need, lost reference codes, changing components, serial numbers, and your data.',
})

export default function Faq() {
  const t = useTranslation()
  return (
    <TextPage title={faq.title} lead={faq.lead}>
      <div className="flex max-w-4xl flex-col gap-12">
        {faq.groups.map(({ title, questions }) => (
          <section key={title}>
            <h2 className="mb-4 text-2xl font-bold tracking-tight">{t(title)}</h2>
            {questions.map((item) => (
              <QuestionItem key={item.id} item={item} />
            ))}
          </section>
        ))}
        <div className="flex flex-wrap items-center justify-between gap-4 rounded-box border bg-card p-5 shadow-card md:p-7">
          <p className="text-lg font-semibold">{t('Something else?')}</p>
          <ButtonLink to="/contact">Contact the office</ButtonLink>
        </div>
      </div>
    </TextPage>
  )
}
