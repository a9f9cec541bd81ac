import { type CSSProperties, createElement, Fragment, type ReactNode } from 'react'
import { type MailBody, type MailSchool, nameOf, textHeading, wrapText } from './render.ts'

const layout = { role: 'presentation', cellPadding: 0, cellSpacing: 0, border: 0 }

/** A piece of a mail's content, in both of its forms. */
interface MailPart {
  html: ReactNode
  text: string
}

export function mailOf(title: string, parts: readonly MailPart[], preheader: string): MailBody {
  const heading = (
    <h1 className="m-text" style={titleStyle}>
      {title}
    </h1>
  )
  return {
    preheader,
    html: createElement(Fragment, null, heading, ...parts.map(({ html }) => html)),
    text: [textHeading(title), ...parts.map(({ text }) => text)].filter(Boolean).join('\n\n'),
  }
}

export function paragraph(text: string, html: ReactNode = text): MailPart {
  return {
    html: (
      <p className="m-text" style={textStyle}>
        {html}
      </p>
    ),
    text,
  }
}

export function linkParagraph(words: string, href: string): MailPart {
  return paragraph(`${words}:\n${href}`, <Link href={href}>{words}</Link>)
}

/** @param html sanitised by `createMessageHtml` */
export function formatted(html: string, text: string): MailPart {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
  return { html: <div dangerouslySetInnerHTML={{ __html: html }} />, text }
}

interface Fact {
  label: string
  value: string
  isCode?: boolean
}

export function factTable(facts: readonly Fact[]): MailPart {
  const filled = facts.filter(({ value }) => value !== '')
  return {
    html: filled.length > 0 && <FactTable facts={filled} />,
    text: filled.map(({ label, value }) => `${label}: ${value}`).join('\n'),
  }
}

function FactTable({ facts }: { facts: readonly Fact[] }) {
  return (
    <table
      {...layout}
      width="100%"
      className="m-soft"
      style={{
        margin: '4px 0 22px',
        backgroundColor: colours.soft,
        border: `1px solid ${colours.line}`,
        borderRadius: '10px',
      }}
    >
      <tbody>
        {facts.map(({ label, value, isCode }, index) => (
          <tr key={label}>
            <td style={{ padding: `${index === 0 ? 16 : 0}px 20px 14px` }}>
              <p className="m-muted" style={{ ...smallStyle, margin: 0 }}>
                {label}
              </p>
              <p
                className="m-text"
                style={{
                  ...textStyle,
                  margin: 0,
                  fontWeight: 700,
                  ...(isCode
                    ? { fontFamily: mono, fontSize: '22px', lineHeight: '30px', letterSpacing: '1px' }
                    : {}),
                }}
              >
                {value}
              </p>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function listed(title: string, steps: readonly string[]): MailPart {
  return {
    html: (
      <>
        {paragraph(title, <strong>{title}</strong>).html}
        <ol className="m-text" style={{ ...textStyle, paddingLeft: '24px' }}>
          {steps.map((step) => (
            <li key={step} style={{ marginBottom: '6px' }}>
              {step}
            </li>
          ))}
        </ol>
      </>
    ),
    text: [title, ...steps.map((step, index) => `${index + 1}. ${step}`)].join('\n'),
  }
}

function Link({ href, children }: { href: string; children: string }) {
  return (
    <a className="m-link" href={href} style={linkStyle}>
      {children}
    </a>
  )
}

const colours = {
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
const mono = 'Menlo, Consolas, monospace'

const textStyle: CSSProperties = {
  margin: '0 0 16px',
  fontFamily: sans,
  fontSize: '16px',
  lineHeight: '25px',
  color: colours.text,
}

const smallStyle: CSSProperties = {
  margin: '0 0 6px',
  fontFamily: sans,
  fontSize: '13px',
  lineHeight: '20px',
  color: colours.muted,
}

const titleStyle: CSSProperties = {
  margin: '0 0 16px',
  fontFamily: sans,
  fontSize: '22px',
  lineHeight: '29px',
  fontWeight: 700,
  color: colours.text,
}

const linkStyle: CSSProperties = { color: colours.primary, textDecoration: 'underline' }

const darkRules = `
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

const subheading: CSSProperties = { ...titleStyle, margin: '0 0 12px', fontSize: '18px', lineHeight: '25px' }
const list: CSSProperties = { ...textStyle, paddingLeft: '24px' }
const cell: CSSProperties = {
  padding: '6px 8px',
  border: `1px solid ${colours.line}`,
  textAlign: 'left',
  verticalAlign: 'top',
}

const styles: Partial<Record<string, CSSProperties>> = {
  p: textStyle,
  div: { ...textStyle, margin: '0 0 8px' },
  h1: titleStyle,
  h2: { ...titleStyle, fontSize: '20px', lineHeight: '27px' },
  h3: subheading,
  h4: { ...subheading, fontSize: '16px' },
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

const cssByTag = new Map(Object.entries(styles).map(([tag, style]) => [tag, cssOf(style ?? {})]))

export function styleOf(tagName: string): string {
  return cssByTag.get(tagName) ?? ''
}

function cssOf(style: CSSProperties): string {
  return Object.entries(style)
    .map(([name, value]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`)
    .join(';')
}

export function withPreheader(html: string, text: string): MailBody {
  return { ...formatted(html, text), preheader: preheaderOf(text) }
}

export function preheaderOf(text: string): string {
  const words = text.replace(/\s+/g, ' ').trim()
  return words.length <= 110 ? words : `${words.slice(0, 110).replace(/ \S*$/, '')} …`
}

interface LogoImage {
  src: string
  width: number
  height: number
}

interface FrameProps {
  subject: string
  body: MailBody
  school: MailSchool
  logo: LogoImage | null
  unsubscribe: string | null
  // The page's security policy refuses style elements in previews.
  hasDarkRules: boolean
}

/** 600 px at most; tables, because mail programs support no other layout. */
export function MailFrame({ subject, body, school, logo, unsubscribe, hasDarkRules }: FrameProps) {
  return (
    <html lang={body.language ?? 'en'}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="x-apple-disable-message-reformatting" />
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        {hasDarkRules && <style>{darkRules}</style>}
      </head>
      <body className="m-back" style={{ margin: 0, padding: 0, backgroundColor: colours.background }}>
        <div style={{ display: 'none', maxHeight: 0, overflow: 'hidden', opacity: 0, fontSize: '1px' }}>
          {body.preheader}
          {'\u00a0\u200c'.repeat(30)}
        </div>
        <table {...layout} width="100%" className="m-back" style={{ backgroundColor: colours.background }}>
          <tbody>
            <tr>
              <td align="center" style={{ padding: '24px 12px' }}>
                <table {...layout} width={600} style={{ width: '100%', maxWidth: '600px' }}>
                  <tbody>
                    <tr>
                      <Head school={school} logo={logo} />
                    </tr>
                    <tr>
                      <td
                        className="m-card m-pad m-content"
                        style={{
                          padding: '32px 36px 20px',
                          backgroundColor: colours.card,
                          border: `1px solid ${colours.line}`,
                          borderTop: 0,
                          borderRadius: '0 0 10px 10px',
                          wordBreak: 'break-word',
                          overflowWrap: 'anywhere',
                        }}
                      >
                        {body.html}
                      </td>
                    </tr>
                    <tr>
                      <td className="m-pad" style={{ padding: '20px 36px 8px' }}>
                        <Foot school={school} unsubscribe={unsubscribe} />
                      </td>
                    </tr>
                  </tbody>
                </table>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  )
}

function Head({ school, logo }: Pick<FrameProps, 'school' | 'logo'>) {
  const name = nameOf(school)
  return (
    <td
      className="m-head m-pad"
      style={{
        padding: '20px 36px',
        backgroundColor: colours.pine,
        borderBottom: `3px solid ${colours.gold}`,
        borderRadius: '10px 10px 0 0',
      }}
    >
      <table {...layout}>
        <tbody>
          <tr>
            {logo !== null && (
              <td style={{ paddingRight: '14px' }}>
                <div
                  style={{ padding: '5px', borderRadius: '8px', backgroundColor: '#ffffff', lineHeight: 0 }}
                >
                  {/* Lazy, because React would preload the image otherwise, and mail programs don’t support preload links. */}
                  <img
                    {...logo}
                    alt=""
                    loading="lazy"
                    style={{ width: `${logo.width}px`, height: `${logo.height}px` }}
                  />
                </div>
              </td>
            )}
            <td style={{ ...textStyle, color: colours.onPine, lineHeight: '22px' }}>
              <strong style={{ fontSize: '17px' }}>{name}</strong>
              {name !== school.systemName && (
                <span style={{ display: 'block', fontSize: '13px', color: colours.onPineMuted }}>
                  {school.systemName}
                </span>
              )}
            </td>
          </tr>
        </tbody>
      </table>
    </td>
  )
}

function Foot({ school, unsubscribe }: Pick<FrameProps, 'school' | 'unsubscribe'>) {
  const { email } = school.contact
  return (
    <>
      <Small>
        <strong>{nameOf(school)}</strong>
      </Small>
      {officeLines(school).map((line) => (
        <Small key={line}>{line}</Small>
      ))}
      {email !== '' && (
        <Small>
          <Link href={`mailto:${encodeURI(email)}`}>{email}</Link>
        </Small>
      )}
      {unsubscribe !== null && (
        <Small>
          {unsubscribeReason} <Link href={unsubscribe}>Stop announcements by e-mail</Link>
        </Small>
      )}
    </>
  )
}

const unsubscribeReason = 'You receive this message because you are enlisted in NSTP.'

function Small({ children }: { children: ReactNode }) {
  return (
    <p className="m-muted" style={smallStyle}>
      {children}
    </p>
  )
}

function officeLines({ contact }: MailSchool): string[] {
  const { office, address, phone, hours } = contact
  return [[office, address].filter(Boolean).join(' · '), [phone, hours].filter(Boolean).join(' · ')].filter(
    Boolean,
  )
}

export function textFrame(frame: Omit<FrameProps, 'subject' | 'logo' | 'hasDarkRules'>) {
  const { body, school, unsubscribe } = frame
  const { email } = school.contact
  const foot = [nameOf(school), ...officeLines(school), email].filter(Boolean).join('\n')
  const end =
    unsubscribe === null ? [] : [`${unsubscribeReason} Stop announcements by e-mail:\n${unsubscribe}`]
  // "-- " on its own line begins the signature in plain text.
  return `${wrapText(body.text.trim())}\n\n-- \n${wrapText([foot, ...end].join('\n\n'))}\n`
}
