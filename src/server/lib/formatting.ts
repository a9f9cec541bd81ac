import markdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'

export interface FormattedContent {
  // The HTML is sanitized.
  html: string
  text: string
}

export type FormatContent = (content: string) => FormattedContent

const linkSchemes = ['http', 'https', 'mailto']
const linkPattern = /^(?:https?:\/\/|mailto:)/i

// After 'www.': a host's name and, up to a space or the sentence's punctuation, a path.
const wwwRest = /^[a-z\d-]+(?:\.[a-z\d-]+)+(?:[/?#][^\s<>"']*[^\s<>"'.,;:!?)\]*_])?/i
const maxAddress = 2_000

// Deeper nesting remains text: it bounds the work on any content.
const maxNesting = 20

/**
 * Turns content into safe HTML: a Markdown subset of paragraphs, line breaks, lists, links and emphasis. HTML in the
 * content remains text, and the Markdown library's output is filtered again by an allowlist.
 * @param ownOrigin its links open in the same window, others in a new one
 */
export function createFormatting({ ownOrigin }: { ownOrigin: string | undefined }): FormatContent {
  const markdown = createMarkdown()
  const options = doorOptions(ownOrigin)
  return (content) => {
    const tokens = markdown.parse(content, {})
    return {
      html: sanitizeHtml(markdown.renderer.render(tokens, markdown.options, {}), options).trim(),
      text: onOneLine(tokens.flatMap(linesOf)),
    }
  }
}

type Token = ReturnType<ReturnType<typeof markdownIt>['parse']>[number]

function createMarkdown() {
  const markdown = markdownIt('zero', { html: false, breaks: true, linkify: true, maxNesting })
  markdown.enable(['linkify', 'list', 'heading', 'newline', 'escape', 'emphasis', 'link', 'autolink'])
  markdown.enable(['balance_pairs', 'fragments_join', 'text_join'])
  markdown.validateLink = (url) => linkPattern.test(url)
  // 'class.It is' is a missing space and not an address; one that begins with www. is.
  markdown.linkify.set({ fuzzyLink: false }).add('www.', {
    validate: (text, position) => wwwRest.exec(text.slice(position, position + maxAddress))?.[0].length ?? 0,
    normalize(match) {
      match.url = `https://${match.url}`
    },
  })
  // A page's headings are its own; within an announcement one is a bold line.
  markdown.renderer.rules.heading_open = () => '<p><strong>'
  markdown.renderer.rules.heading_close = () => '</strong></p>\n'
  return markdown
}

function doorOptions(ownOrigin: string | undefined): sanitizeHtml.IOptions {
  return {
    allowedTags: ['p', 'br', 'ul', 'ol', 'li', 'a', 'strong', 'em'],
    allowedAttributes: { a: ['href', 'target', 'rel'], ol: ['start'] },
    allowedSchemes: linkSchemes,
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, { href = '' }) => ({
        tagName,
        attribs: isElsewhere(href, ownOrigin)
          ? { href, target: '_blank', rel: 'noopener nofollow' }
          : { href },
      }),
    },
  }
}

function isElsewhere(href: string, ownOrigin: string | undefined): boolean {
  return /^https?:/i.test(href) && !(URL.canParse(href) && new URL(href).origin === ownOrigin)
}

function linesOf({ type, children }: Token): string[] {
  if (type !== 'inline') return []
  const words = (children ?? []).map((child) => {
    if (child.type === 'text') return child.content
    return /break$/.test(child.type) ? '\n' : ''
  })
  // A line that continues in lower case is still the same sentence.
  return words.join('').split(/\n(?!\p{Ll})/u)
}

// A dot separates two lines that would read as one sentence.
function onOneLine(lines: readonly string[]): string {
  const written = lines.map((line) => line.replace(/\s+/g, ' ').trim()).filter(Boolean)
  const ends = (line: string) => /[.!?:;,…–—-]['"’”)\]]*$/.test(line)
  return written.map((line, at) => (at + 1 < written.length && !ends(line) ? `${line} ·` : line)).join(' ')
}
