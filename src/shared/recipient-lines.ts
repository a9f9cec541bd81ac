import { trimAddress } from './mail-address.ts'

/** One recipient of a typed list. */
export interface ListedRecipient {
  /** The line it stands in, from 1. */
  position: number
  /** As it was typed. */
  text: string
  email: string
  /** '' when only an address was typed. */
  firstName: string
}

const named = /^(?<name>[^<>]*)<(?<address>[^<>]*)>$/
/** 'Dela Cruz' and 'Dela Cruz Jr.', but not 'juan.school.ph', which is an address that lacks its sign. */
const familyName = /^\p{L}[\p{L}\p{M}'’ -]*\.?$/u

/** The recipients of a text: one a line, or between commas and semicolons; 'Juan <juan@school.example>' too. */
export function listedRecipients(text: string): ListedRecipient[] {
  return text.split(/\r\n|\r|\n/).flatMap((line, index) => recipientsOfLine(line, index + 1))
}

function recipientsOfLine(line: string, position: number): ListedRecipient[] {
  const recipients: ListedRecipient[] = []
  let family = ''
  for (const part of partsOf(line)) {
    const text = trimAddress(part)
    if (text === '') continue
    const recipient = { position, text, ...nameAndAddress(text) }
    // 'Dela Cruz, Juan <juan@school.example>': what stood before the comma is no recipient.
    if (family !== '' && recipient.firstName === '') recipients.push(lone(family, position))
    family = ''
    if (familyName.test(text)) family = text
    else recipients.push(recipient)
  }
  if (family !== '') recipients.push(lone(family, position))
  return recipients
}

function lone(text: string, position: number): ListedRecipient {
  return { position, text, email: text, firstName: '' }
}

/** The parts between commas and semicolons that are neither in quotes nor in angle brackets. */
function partsOf(line: string): string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  let isBracketed = false
  for (let index = 0; index < line.length; index++) {
    const character = line[index]
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '<') isBracketed = true
    else if (character === '>') isBracketed = false
    else if ((character === ',' || character === ';') && !isBracketed) {
      parts.push(line.slice(start, index))
      start = index + 1
    }
  }
  return [...parts, line.slice(start)]
}

/** 'Juan <juan@school.example>' in its two parts; a text without brackets is an address. */
export function nameAndAddress(text: string): { email: string; firstName: string } {
  const { name, address } = named.exec(text)?.groups ?? {}
  if (name === undefined || address === undefined) return { email: text, firstName: '' }
  const bare = trimAddress(name).replace(/^"(.*)"$/, '$1')
  // '"Dela Cruz, Juan"' has the first name last.
  const firstName = bare.includes(',') ? bare.slice(bare.indexOf(',') + 1) : bare
  return { email: trimAddress(address), firstName: firstName.trim() }
}
