import { createHash, randomBytes } from 'node:crypto'

const mark = 'nstp_'
const secretBytes = 32
/** 32 bytes in base64url behind the mark, by which secret scanners know it. */
const pattern = /^nstp_[\w-]{43}$/
/** The mark and six characters: enough to tell tokens apart, and 220 bits too few to guess one. */
const prefixLength = mark.length + 6

/** A token, and what the database keeps of it. */
export interface ApiSecret {
  text: string
  prefix: string
  /** SHA-256. No slow hash is needed: 256 random bits can't be found by trying. */
  hash: Buffer
}

/** A new token: 256 random bits. */
export function createApiSecret(): ApiSecret {
  return secretOf(mark + randomBytes(secretBytes).toString('base64url'))
}

/** A text as a token; null for what can't be one, so that it costs no query. */
export function parseApiSecret(text: string): ApiSecret | null {
  return pattern.test(text) ? secretOf(text) : null
}

function secretOf(text: string): ApiSecret {
  return { text, prefix: text.slice(0, prefixLength), hash: createHash('sha256').update(text).digest() }
}
