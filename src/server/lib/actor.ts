import type { Access } from './access.ts'

export interface Actor {
  // Null: no session, or the product itself acts.
  adminId: string | null
  // The API token of the call, if it has one.
  tokenId?: string
  // The account that the API token belongs to.
  ownerId?: string
  // The administrator's e-mail address, 'API token …', 'command line', 'student' or 'system'; '' for an unknown caller.
  name: string
  clientAddress: string
  userAgent: string
  requestId: string
}

/** Begins the name of an API token's actor. */
export const tokenMark = 'API token '

/** An actor with the access of the account. */
export interface Staff extends Actor {
  access: Access
}

/** Whoever reads whole records, and what counts them among those of the hour. */
export interface CountedReader {
  actor: Staff
  /** @throws AppError `proof_needed` */
  admit: (records: number | readonly string[]) => Promise<void>
}

/** What the idempotency keys of a caller are scoped to. */
export function senderOf({ adminId, tokenId, name }: Actor): string {
  return tokenId ?? adminId ?? name
}

/** Leaves out the access, which changes: work that goes on later reads the access of that time. */
export function storedActor({ access: _ofNow, ...actor }: Staff): Actor {
  return actor
}

// This length is enough to distinguish browsers and devices.
const maxUserAgent = 200

// A User-Agent header may have any length.
export function shortUserAgent(userAgent = ''): string {
  return userAgent.slice(0, maxUserAgent)
}

export function ownActor(name: 'system' | 'command line' | 'student'): Actor {
  return { adminId: null, name, clientAddress: '', userAgent: '', requestId: '' }
}
