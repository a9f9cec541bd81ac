import type { ReactNode } from 'react'
import { colours, mono, smallStyle, textStyle, titleStyle } from './mail-look.ts'

/** What the message is about, in large letters. */
export function Title({ children }: { children: ReactNode }) {
  return (
    <h1 className="m-text" style={titleStyle}>
      {children}
    </h1>
  )
}

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <p className="m-text" style={textStyle}>
      {children}
    </p>
  )
}

export interface Fact {
  label: string
  value: string
  /** Shown so that it can be read out and typed. */
  isCode?: boolean
}

/** Facts to look up again, in a box; those without a value are left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  const known = whatIsKnown(facts)
  if (known.length === 0) return null
  return (
    <table
      role="presentation"
      width="100%"
      cellPadding={0}
      cellSpacing={0}
      border={0}
      className="m-soft"
      style={{
        margin: '4px 0 22px',
        backgroundColor: colours.soft,
        border: `1px solid ${colours.line}`,
        borderRadius: '10px',
      }}
    >
      <tbody>
        {known.map(({ label, value, isCode }, index) => (
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

/** The same for plain-text readers, one line each. */
export function factLines(facts: readonly Fact[]): string {
  return whatIsKnown(facts)
    .map(({ label, value }) => `${label}: ${value}`)
    .join('\n')
}

function whatIsKnown(facts: readonly Fact[]): Fact[] {
  return facts.filter(({ value }) => value !== '')
}

/** One step after the other. */
export function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ol className="m-text" style={{ ...textStyle, paddingLeft: '24px' }}>
      {steps.map((step) => (
        <li key={step} style={{ marginBottom: '6px' }}>
          {step}
        </li>
      ))}
    </ol>
  )
}

/** Sanitised HTML as it is. */
export function SafeHtml({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: what `createMessageHtml` let through its door
  return <div dangerouslySetInnerHTML={{ __html: html }} />
}
