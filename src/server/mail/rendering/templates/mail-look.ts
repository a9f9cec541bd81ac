import type { CSSProperties } from 'react'

/** The look of mails: the product's light colours (src/web/app.css), written out where mail programs read them. */
export const colours = {
  background: '#f4f7f4',
  card: '#ffffff',
  soft: '#ebf1ec',
  line: '#d8e1da',
  text: '#14211b',
  muted: '#4f5d55',
  primary: '#17573f',
  pine: '#0f3d2e',
  onPine: '#f2f7f3',
  onPineMuted: '#bfd3c7',
  gold: '#e9b949',
} as const

const sans = 'Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif'
export const mono = 'Menlo, Consolas, monospace'

export const textStyle: CSSProperties = {
  margin: '0 0 16px',
  fontFamily: sans,
  fontSize: '16px',
  lineHeight: '25px',
  color: colours.text,
}

export const smallStyle: CSSProperties = {
  margin: '0 0 6px',
  fontFamily: sans,
  fontSize: '13px',
  lineHeight: '20px',
  color: colours.muted,
}

export const titleStyle: CSSProperties = {
  margin: '0 0 16px',
  fontFamily: sans,
  fontSize: '22px',
  lineHeight: '29px',
  fontWeight: 700,
  color: colours.text,
}

export const linkStyle: CSSProperties = { color: colours.primary, textDecoration: 'underline' }

/**
 * For programs with a dark look, by the classes beside the inline styles. Programs that know no such rules keep the
 * light look, which stands by itself.
 */
export const darkRules = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .m-back { background-color: #0d1511 !important; }
  .m-card { background-color: #16211b !important; border-color: #2c3b33 !important; }
  .m-soft { background-color: #1e2c25 !important; border-color: #2c3b33 !important; }
  .m-text, .m-content p, .m-content li, .m-content h1, .m-content h2, .m-content h3, .m-content td, .m-content th { color: #e8f0ea !important; }
  .m-muted { color: #a8b8ae !important; }
  .m-link, .m-content a { color: #7ccba3 !important; }
  .m-head { background-color: #0a2b20 !important; }
}
@media (max-width: 480px) {
  .m-pad { padding-left: 20px !important; padding-right: 20px !important; }
}`
