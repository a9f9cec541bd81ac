import type { ReactNode } from 'react'
import { colours, darkRules, linkStyle, smallStyle, textStyle } from './mail-parts.tsx'
import { type MailBody, type MailSchool, nameOf, wrapText } from './render.ts'

export interface LogoImage {
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
    <html lang="en">
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
        <Preheader text={body.preheader} />
        <Table className="m-back" style={{ backgroundColor: colours.background }}>
          <td align="center" style={{ padding: '24px 12px' }}>
            <table
              role="presentation"
              width={600}
              cellPadding={0}
              cellSpacing={0}
              border={0}
              style={{ width: '100%', maxWidth: '600px' }}
            >
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
        </Table>
      </body>
    </html>
  )
}

function Preheader({ text }: { text: string }) {
  return (
    <div style={{ display: 'none', maxHeight: 0, overflow: 'hidden', opacity: 0, fontSize: '1px' }}>
      {text}
      {'\u00a0\u200c'.repeat(30)}
    </div>
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
      <table role="presentation" cellPadding={0} cellSpacing={0} border={0}>
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
          <a className="m-link" href={`mailto:${encodeURI(email)}`} style={linkStyle}>
            {email}
          </a>
        </Small>
      )}
      {unsubscribe !== null && (
        <Small>
          {unsubscribeReason}{' '}
          <a className="m-link" href={unsubscribe} style={linkStyle}>
            Stop announcements by e-mail
          </a>
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

function Table({
  children,
  ...props
}: Pick<React.ComponentProps<'table'>, 'children' | 'className' | 'style'>) {
  return (
    <table role="presentation" width="100%" cellPadding={0} cellSpacing={0} border={0} {...props}>
      <tbody>
        <tr>{children}</tr>
      </tbody>
    </table>
  )
}

export function textFrame({
  body,
  school,
  unsubscribe,
}: Pick<FrameProps, 'body' | 'school' | 'unsubscribe'>): string {
  const { email } = school.contact
  const foot = [nameOf(school), ...officeLines(school), email].filter(Boolean).join('\n')
  const end =
    unsubscribe === null ? [] : [`${unsubscribeReason} Stop announcements by e-mail:\n${unsubscribe}`]
  // "-- " on its own line begins the signature in plain text.
  return `${wrapText(body.text.trim())}\n\n-- \n${wrapText([foot, ...end].join('\n\n'))}\n`
}
