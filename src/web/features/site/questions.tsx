import { ChevronDown } from 'lucide-react'
import { Link } from 'react-router'
import { useTranslation } from '#web/lib/translation.tsx'
import { textLinkClass } from './text-page.tsx'
import type faq from './texts/faq.json'

type Question = (typeof faq)['groups'][number]['questions'][number]

export function QuestionItem({ item: { id, question, answer, link } }: { item: Question }) {
  const t = useTranslation()
  return (
    <details id={id} className="group scroll-mt-4 border-b first:border-t">
      <summary className="flex min-h-14 list-none items-center justify-between gap-4 py-3 font-semibold hover:text-primary [&::-webkit-details-marker]:hidden">
        <h3 className="min-w-0">{t(question)}</h3>
        <ChevronDown className="size-5 shrink-0 text-muted transition-transform group-open:rotate-180" />
      </summary>
      <div className="max-w-3xl pb-5">
        {answer.map((paragraph) => (
          <p key={paragraph} className="mb-2">
            {t(paragraph)}
          </p>
        ))}
        {link && (
          <Link to={link.to} className={`inline-flex min-h-11 items-center ${textLinkClass}`}>
            {t(link.label)}
          </Link>
        )}
      </div>
    </details>
  )
}
