import * as z from 'zod/mini'
import { fieldMessages, hasOddCharacters, isBlank } from '#shared/field-rules.ts'
import { parseJson } from '#shared/json-text.ts'
import { defaultFirstName, mailLimits, mailSentences } from './mail.ts'
import { addressKey, isMailAddress, trimAddress } from './mail-address.ts'
import type { RecipientList } from './mail-response.ts'

export interface GivenRecipient {
  position: number
  text: string
  email: string
  firstName: string
  message?: string
}

export const recipientMessages = {
  address: fieldMessages.email,
  twice: 'This address is in the list more than once.',
  entry: 'Please give each recipient as an address, or as an object with email and firstName.',
  firstName: fieldMessages.characters('firstName'),
  longFirstName: fieldMessages.tooLong('firstName', mailLimits.name),
  tooManyStudents: `One bulk e-mail can go to ${mailLimits.recipients.toLocaleString('en-US')} students at most. Please select fewer students.`,
  tooMany: `Please send to ${mailLimits.recipients.toLocaleString('en-US')} recipients or fewer at a time.`,
}

const maxTextLength = 100

/** Product 17.4: a JSON array of objects or addresses (parsed or as text), or text split by line, comma or semicolon. */
export function readRecipients(input: unknown): RecipientList {
  if (typeof input === 'string' && !/^\s*[[{]/.test(input)) {
    const lines = input.split(/\r\n|\r|\n/)
    return collectRecipients(
      lines.flatMap((line, index) => recipientsOfLine(line, index + 1)),
      'line',
    )
  }
  // Invalid JSON is reported as an invalid list.
  const entries = typeof input === 'string' ? parseJson(input) : input
  if (!Array.isArray(entries)) return collectRecipients([], 'entry')
  return collectRecipients(
    entries.map((entry: unknown, index) => readEntry(entry, index + 1)),
    'entry',
  )
}

export function collectRecipients(
  given: Iterable<GivenRecipient>,
  positions: RecipientList['positions'],
): RecipientList {
  const recipients = new Map<string, RecipientList['recipients'][number]>()
  const duplicates: RecipientList['duplicates'] = []
  const invalid: RecipientList['invalid'] = []
  for (const { position, text, message: problem, ...recipient } of given) {
    const email = trimAddress(recipient.email)
    const firstName = tidyName(recipient.firstName)
    const message = problem ?? problemOf(email, firstName)
    const entry = { position, text: shorten(text) }
    if (message !== undefined) invalid.push({ ...entry, message })
    else if (recipients.has(addressKey(email))) {
      duplicates.push({ ...entry, message: recipientMessages.twice })
    } else recipients.set(addressKey(email), { email, firstName })
  }
  return {
    recipients: [...recipients.values()],
    duplicates,
    invalid,
    positions,
    problem: problemOfSize(recipients.size),
  }
}

function problemOfSize(size: number): string {
  if (size === 0) return mailSentences.invalidRecipients
  return size > mailLimits.recipients ? recipientMessages.tooMany : ''
}

function problemOf(email: string, firstName: string): string | undefined {
  if (!isMailAddress(email)) return recipientMessages.address
  if (hasOddCharacters(firstName)) return recipientMessages.firstName
  return firstName.length > mailLimits.name ? recipientMessages.longFirstName : undefined
}

// Without a name the general one is used.
function tidyName(name: string): string {
  const tidy = name.replace(/\s+/g, ' ').trim()
  return isBlank(tidy) ? defaultFirstName : tidy
}

function readEntry(entry: unknown, position: number): GivenRecipient {
  if (typeof entry === 'string') return { position, text: entry, ...nameAndAddress(trimAddress(entry)) }
  const { data } = entrySchema.safeParse(entry)
  if (data) return { position, text: data.email, email: data.email, firstName: data.firstName ?? '' }
  const text = JSON.stringify(entry) ?? ''
  return { position, text, email: '', firstName: '', message: recipientMessages.entry }
}

const entrySchema = z.object({ email: z.string(), firstName: z.nullish(z.string()) })

function shorten(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text
}

const named = /^(?<name>[^<>]*)<(?<address>[^<>]*)>$/
const familyName = /^\p{L}[\p{L}\p{M}'’ -]*\.?$/u

function recipientsOfLine(line: string, position: number): GivenRecipient[] {
  const recipients: GivenRecipient[] = []
  let family = ''
  for (const part of partsOf(line)) {
    const text = trimAddress(part)
    if (text === '') continue
    const recipient = { position, text, ...nameAndAddress(text) }
    // 'Dela Cruz, Juan <juan@school.example>': the family name before the comma is no recipient.
    if (family !== '' && recipient.firstName === '') recipients.push(unnamed(family, position))
    family = ''
    if (familyName.test(text)) family = text
    else recipients.push(recipient)
  }
  if (family !== '') recipients.push(unnamed(family, position))
  return recipients
}

function unnamed(text: string, position: number): GivenRecipient {
  return { position, text, email: text, firstName: '' }
}

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

/** Of 'Ana Cruz <ana@school.example>', or of an address alone. */
export function nameAndAddress(text: string): { email: string; firstName: string } {
  const { name, address } = named.exec(text)?.groups ?? {}
  if (name === undefined || address === undefined) return { email: text, firstName: '' }
  const bare = trimAddress(name).replace(/^"(.*)"$/, '$1')
  // '"Dela Cruz, Juan"' has the first name last.
  const firstName = bare.includes(',') ? bare.slice(bare.indexOf(',') + 1) : bare
  return { email: trimAddress(address), firstName: firstName.trim() }
}
