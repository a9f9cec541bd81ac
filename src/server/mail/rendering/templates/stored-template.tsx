import type { MailBody } from '#server/mail/rendering/mail-body.ts'
import { textHeading } from '#server/mail/rendering/plain-text.ts'
import {
  fillPlaceholders,
  type PlaceholderName,
  type PlaceholderTexts,
  placeholderTexts,
} from '#shared/mail-placeholders.ts'
import { type Fact, Facts, factLines, SafeHtml, Title } from './mail-parts.tsx'
import { preheaderOf } from './own-message.tsx'

/** A text that the office sends again and again. It can be sent as it is, or be the beginning of one's own. */
export interface StoredTemplate {
  name: string
  /** How screens call it. */
  title: string
  /** With placeholders, as is the text. */
  subject: string
  /** What stands above the text. */
  heading: string
  text: string
  /** What is told of the recipient below the text, where it is known. */
  facts: readonly PlaceholderName[]
}

export interface StoredParts {
  template: StoredTemplate
  values: PlaceholderTexts
  /** The text as HTML, filled. */
  html: string
}

/** A stored template for one recipient. */
export function storedMail({ template, values, html }: StoredParts): MailBody {
  const text = fillPlaceholders(template.text, values)
  const facts = template.facts.map(
    (name): Fact => ({
      label: placeholderTexts[name],
      value: values[name]?.trim() ?? '',
      isCode: name === 'reference',
    }),
  )
  return {
    preheader: preheaderOf(text),
    html: (
      <>
        <Title>{template.heading}</Title>
        <SafeHtml html={html} />
        <Facts facts={facts} />
      </>
    ),
    text: [textHeading(template.heading), text, factLines(facts)].filter(Boolean).join('\n\n'),
  }
}
