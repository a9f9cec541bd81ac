import type { FormatContent, FormattedContent } from '#server/lib/formatting.ts'

// characters
const maxCharacters = 2_000_000

/** Cached: a long text takes milliseconds. */
export function cacheFormatted(format: FormatContent): FormatContent {
  // In the order of their last use.
  const cache = new Map<string, FormattedContent>()
  let characters = 0

  return (content) => {
    const formatted = cache.get(content) ?? format(content)
    if (!cache.delete(content)) characters += sizeOf(content, formatted)
    cache.set(content, formatted)
    for (const [oldest, itsFormatted] of cache) {
      if (characters <= maxCharacters) break
      cache.delete(oldest)
      characters -= sizeOf(oldest, itsFormatted)
    }
    return formatted
  }
}

function sizeOf(content: string, { html, text }: FormattedContent): number {
  return content.length + html.length + text.length
}
