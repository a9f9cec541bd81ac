import { createHash, randomBytes } from 'node:crypto'

const tokenBytes = 32
/** 32 bytes in base64url. */
const tokenPattern = /^[\w-]{43}$/

/** A secret in a browser's cookie, and what the database keeps of it. */
export interface Token {
  text: string
  /** SHA-256. No slow hash is needed: 256 random bits can't be found by trying. */
  hash: Buffer
}

/** A new token: 256 random bits. */
export function createToken(): Token {
  return tokenOf(randomBytes(tokenBytes).toString('base64url'))
}

/** A cookie's text as a token; null for what can't be one, so that it costs no query. */
export function parseToken(text: string | undefined): Token | null {
  return text !== undefined && tokenPattern.test(text) ? tokenOf(text) : null
}

function tokenOf(text: string): Token {
  return { text, hash: createHash('sha256').update(text).digest() }
}
