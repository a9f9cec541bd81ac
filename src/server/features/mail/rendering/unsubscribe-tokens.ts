import { createSealedSecrets } from '#server/lib/sealed-secret.ts'
import { isEmail } from '#shared/field-rules.ts'

const maxToken = 600

export type UnsubscribeTokens = ReturnType<typeof createUnsubscribeTokens>

/** Security: the address is sealed, so that a user can unsubscribe only themselves. */
export function createUnsubscribeTokens(secretKey: Buffer) {
  const secrets = createSealedSecrets({ secretKey, purpose: 'unsubscribe link' })
  return {
    tokenOf: (address: string): string => secrets.seal(address.toLowerCase()).toString('base64url'),

    addressOf(token: string): string | null {
      if (token.length > maxToken || !/^[\w-]+$/.test(token)) return null
      const address = secrets.open(Buffer.from(token, 'base64url'))
      return address !== null && isEmail(address) ? address : null
    },
  }
}
