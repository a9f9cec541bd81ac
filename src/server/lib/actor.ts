export interface Actor {
  // Null: nobody is signed in, or the product itself acts.
  adminId: string | null
  // The administrator's e-mail address, 'API token …', 'command line' or 'system'; '' for an unknown caller.
  name: string
  clientAddress: string
  userAgent: string
  requestId: string
}

// In characters. Enough to tell browsers and devices apart.
const maxUserAgent = 200

// A User-Agent header may have any length.
export function shortUserAgent(userAgent = ''): string {
  return userAgent.slice(0, maxUserAgent)
}

export function ownActor(name: 'system' | 'command line'): Actor {
  return { adminId: null, name, clientAddress: '', userAgent: '', requestId: '' }
}
