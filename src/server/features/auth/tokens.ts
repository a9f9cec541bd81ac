import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** A token's random half; the other half is its signature. */
const randomLength = 16
/** 32 bytes in base64url. */
const tokenPattern = /^[\w-]{43}$/

/** A secret in a browser's cookie, and what the database keeps of it. */
export interface Token {
  text: string
  /** SHA-256. No slow hash is needed: 128 random bits can't be found by trying. */
  hash: Buffer
}

export type Tokens = ReturnType<typeof createTokens>

/**
 * Tokens that are signed, so that limits can tell without a query which were given out by this product. That opens
 * nothing: what a token is worth, the database says.
 */
export function createTokens(secretKey: Buffer) {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'session and device tokens', 32))

  function signatureOf(random: Buffer): Buffer {
    return createHmac('sha256', key).update(random).digest().subarray(0, randomLength)
  }

  return {
    /** A new token: 128 random bits and their signature. */
    create(): Token {
      const random = randomBytes(randomLength)
      return tokenOf(Buffer.concat([random, signatureOf(random)]).toString('base64url'))
    },

    /** Whether it was made with this SECRET_KEY. Tokens of versions before are of random bits alone. */
    isOwn(text: string): boolean {
      if (!tokenPattern.test(text)) return false
      const bytes = Buffer.from(text, 'base64url')
      return timingSafeEqual(bytes.subarray(randomLength), signatureOf(bytes.subarray(0, randomLength)))
    },
  }
}

/** A cookie's text as a token; null for what can't be one, so that it costs no query. */
export function parseToken(text: string | undefined): Token | null {
  return text !== undefined && tokenPattern.test(text) ? tokenOf(text) : null
}

function tokenOf(text: string): Token {
  return { text, hash: createHash('sha256').update(text).digest() }
}
