import type { FormatContent, FormattedContent } from '#server/lib/formatting.ts'

// characters
const keptCharacters = 2_000_000

/** Cached: a long text takes milliseconds. */
export function rememberFormatted(format: FormatContent): FormatContent {
  // In the order of their last use.
  const known = new Map<string, FormattedContent>()
  let characters = 0

  return (content) => {
    const formatted = known.get(content) ?? format(content)
    if (!known.delete(content)) characters += sizeOf(content, formatted)
    known.set(content, formatted)
    for (const [oldest, itsFormatted] of known) {
      if (characters <= keptCharacters) break
      known.delete(oldest)
      characters -= sizeOf(oldest, itsFormatted)
    }
    return formatted
  }
}

function sizeOf(content: string, { html, text }: FormattedContent): number {
  return content.length + html.length + text.length
}
