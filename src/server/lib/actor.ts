import type { Access } from './access.ts'

export interface Actor {
  // Null: no session, or the product itself acts.
  adminId: string | null
  // Of an API token's call.
  tokenId?: string
  // Whose API token it is.
  ownerId?: string
  // The administrator's e-mail address, 'API token …', 'command line' or 'system'; '' for an unknown caller.
  name: string
  clientAddress: string
  userAgent: string
  requestId: string
}

/** Begins the name of an API token's actor. */
export const tokenMark = 'API token '

/** Who acts, with what they may see. */
export interface Staff extends Actor {
  access: Access
}

/** What the idempotency keys of a caller are scoped to. */
export function senderOf({ adminId, tokenId, name }: Actor): string {
  return tokenId ?? adminId ?? name
}

/** Without what changes: for work that goes on later, with the access of then. */
export function storedActor({ access: _ofNow, ...actor }: Staff): Actor {
  return actor
}

// In characters. Enough to distinguish browsers and devices.
const maxUserAgent = 200

// A User-Agent header may have any length.
export function shortUserAgent(userAgent = ''): string {
  return userAgent.slice(0, maxUserAgent)
}

export function ownActor(name: 'system' | 'command line'): Actor {
  return { adminId: null, name, clientAddress: '', userAgent: '', requestId: '' }
}
