import { NumberFields } from './number-fields.tsx'
import { SectionCard } from './section-card.tsx'
import type { Section } from './use-section.ts'

const fields = [
  {
    name: 'mailPerDay',
    hint: 'In any 24 hours. A Gmail account stops at about 500 and then sends nothing for a day; keep some room below that. A tenth, at least one, is kept for confirmations and e-mails to one person: bulk e-mail does not use it.',
  },
  {
    name: 'mailPerMinute',
    hint: 'Mail servers take many messages at once for spam.',
  },
] as const

/** How fast e-mail goes out. What does not fit waits in the outbox. */
export function MailSection({ section }: { section: Section }) {
  return (
    <SectionCard
      title="E-mail limits"
      lead="What is over them waits in the outbox and goes out later by itself."
      section={section}
    >
      <NumberFields section={section} fields={fields} className="max-w-md" />
    </SectionCard>
  )
}
