import { createSealedSecrets } from '#server/lib/sealed-secret.ts'
import { isEmail } from '#shared/field-rules.ts'

/** The longest that an address of 254 characters becomes. */
const maxToken = 600

export type UnsubscribeTokens = ReturnType<typeof createUnsubscribeTokens>

/** What an unsubscribe link carries: the address, sealed, so that nobody unsubscribes somebody else. */
export function createUnsubscribeTokens(secretKey: Buffer) {
  const secrets = createSealedSecrets({ secretKey, purpose: 'unsubscribe link' })
  return {
    /** For the address of a page. */
    tokenOf: (address: string): string => secrets.seal(address.toLowerCase()).toString('base64url'),

    /** The address; null for what we did not make. */
    addressOf(token: string): string | null {
      if (token.length > maxToken || !/^[\w-]+$/.test(token)) return null
      const address = secrets.open(Buffer.from(token, 'base64url'))
      return address !== null && isEmail(address) ? address : null
    },
  }
}
