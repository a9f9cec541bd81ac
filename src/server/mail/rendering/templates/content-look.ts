import type { CSSProperties } from 'react'
import { colours, linkStyle, mono, textStyle, titleStyle } from './mail-look.ts'

const small: CSSProperties = { ...titleStyle, margin: '0 0 12px', fontSize: '18px', lineHeight: '25px' }
const list: CSSProperties = { ...textStyle, paddingLeft: '24px' }
const cell: CSSProperties = {
  padding: '6px 8px',
  border: `1px solid ${colours.line}`,
  textAlign: 'left',
  verticalAlign: 'top',
}

/** The look of a body's elements, which come without any. */
const looks: Partial<Record<string, CSSProperties>> = {
  p: textStyle,
  div: { ...textStyle, margin: '0 0 8px' },
  h1: titleStyle,
  h2: { ...titleStyle, fontSize: '20px', lineHeight: '27px' },
  h3: small,
  h4: { ...small, fontSize: '16px' },
  a: linkStyle,
  ul: list,
  ol: list,
  li: { marginBottom: '6px' },
  blockquote: { margin: '0 0 16px', padding: '0 0 0 14px', borderLeft: `3px solid ${colours.line}` },
  pre: { ...textStyle, fontFamily: mono, fontSize: '14px', whiteSpace: 'pre-wrap' },
  code: { fontFamily: mono, fontSize: '14px' },
  hr: { border: 0, borderTop: `1px solid ${colours.line}`, margin: '0 0 16px' },
  table: { ...textStyle, borderCollapse: 'collapse' },
  td: cell,
  th: cell,
}

const written = new Map(Object.entries(looks).map(([tag, look]) => [tag, cssOf(look ?? {})]))

/** What stands in an element's style attribute; '' for nothing. */
export function styleOf(tagName: string): string {
  return written.get(tagName) ?? ''
}

function cssOf(look: CSSProperties): string {
  return Object.entries(look)
    .map(([name, value]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`)
    .join(';')
}
