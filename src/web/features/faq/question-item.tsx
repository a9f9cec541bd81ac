import { ChevronDown } from 'lucide-react'
import { Link } from 'react-router'
import { textLinkLook } from '#web/components/text-page.tsx'
import type { Question } from './questions.ts'

/** A question whose answer the browser itself opens and closes. */
export function QuestionItem({ item: { id, question, answer, link } }: { item: Question }) {
  return (
    <details id={id} className="group scroll-mt-4 border-b first:border-t">
      <summary className="flex min-h-14 list-none items-center justify-between gap-4 py-3 font-semibold hover:text-primary [&::-webkit-details-marker]:hidden">
        <h3 className="min-w-0">{question}</h3>
        <ChevronDown
          aria-hidden="true"
          className="size-5 shrink-0 text-muted transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="max-w-3xl pb-5">
        {answer.map((paragraph) => (
          <p key={paragraph} className="mb-2">
            {paragraph}
          </p>
        ))}
        {link && (
          <Link to={link.to} className={`inline-flex min-h-11 items-center ${textLinkLook}`}>
            {link.label}
          </Link>
        )}
      </div>
    </details>
  )
}
