/** Who does something and from where: what the audit trail keeps of a caller. */
export interface Actor {
  /** Null: nobody is signed in, or it is the product itself. */
  adminId: string | null
  /** The administrator's e-mail address, 'API token …', 'command line' or 'system'; '' for somebody unknown. */
  name: string
  clientAddress: string
  userAgent: string
  requestId: string
}

/** Enough to tell browsers and devices apart, in characters. */
const maxUserAgent = 200

/** What is kept of a User-Agent header, which may have any length. */
export function shortUserAgent(userAgent = ''): string {
  return userAgent.slice(0, maxUserAgent)
}

/** The product's own work: what retention removes, what an operator starts from the command line. */
export function ownActor(name: 'system' | 'command line'): Actor {
  return { adminId: null, name, clientAddress: '', userAgent: '', requestId: '' }
}
