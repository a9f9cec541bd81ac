import { createHash } from 'node:crypto'

/** Scripts and styles that stand in the page itself. The text of neither can hold its own end. */
const inline = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/g

export interface PolicedPage {
  html: string
  /** The Content-Security-Policy. */
  policy: string
}

/**
 * A page that many will get, and its policy. The nonce it was made with would be known to everybody, so each
 * script and style that carries it is named by its hash instead. What got into the page any other way has no
 * nonce, gets no hash, and stays refused as it was.
 */
export function nameByHashes({ html, policy }: PolicedPage, nonce: string): PolicedPage {
  const mark = ` nonce="${nonce}"`
  const hashes: Record<string, Set<string>> = { script: new Set(), style: new Set() }
  for (const [, element = '', attributes = '', text = ''] of html.matchAll(inline)) {
    if (!attributes.includes(mark) || /\ssrc=/.test(attributes)) continue
    hashes[element]?.add(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  }
  const inDirective = (directive: string) => {
    const named = directive.trimStart().startsWith('script-src ') ? hashes.script : hashes.style
    return directive.replace(`'nonce-${nonce}'`, [...(named ?? [])].join(' '))
  }
  return {
    html: html.replaceAll(mark, ''),
    policy: policy.split(';').map(inDirective).join(';'),
  }
}
