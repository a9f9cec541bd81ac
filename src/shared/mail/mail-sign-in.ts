/** How the mail account signs in: by a password, or by OAuth 2 at a provider. */
export const signInWays = ['password', 'microsoft', 'google', 'other'] as const
export type SignInWay = (typeof signInWays)[number]
export type OAuthWay = Exclude<SignInWay, 'password'>

/** RFC 6749. client_credentials: the permission is an app's · refresh_token: a person gave it to the app. */
export const tokenGrants = ['client_credentials', 'refresh_token'] as const
export type TokenGrant = (typeof tokenGrants)[number]

interface OAuthProvider {
  /** Begins a sentence. */
  name: string
  grants: readonly [TokenGrant, ...TokenGrant[]]
  tokenEndpoint: string
  /** The scope for client credentials. A refresh token already has one. */
  tokenScope: string
  /** The mail server that goes with it, of `mailPresets`. */
  preset: string
  /** What to do first. */
  hint: string
  /** What a mail server's refusal of a valid token is usually about. */
  refusedSending: string
  refusedReading: string
}

const microsoftEndpoint = (tenant: string) => `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`

export const oauthProviders: Record<OAuthWay, OAuthProvider> = {
  microsoft: {
    name: 'Microsoft 365',
    grants: ['client_credentials', 'refresh_token'],
    // The address depends on the tenant.
    tokenEndpoint: '',
    tokenScope: 'https://outlook.office365.com/.default',
    preset: 'Outlook',
    hint: 'Register an app in the Microsoft Entra admin center and give it access to this mailbox. The guide of this page shows each click.',
    refusedSending:
      'The app needs SMTP.SendAsApp with admin consent and access to this mailbox, and the mailbox needs authenticated SMTP.',
    refusedReading:
      'The app needs IMAP.AccessAsApp with admin consent and access to this mailbox, and the mailbox needs IMAP.',
  },
  google: {
    name: 'Google',
    grants: ['refresh_token'],
    tokenEndpoint: 'https://oauth2.googleapis.com/token',
    tokenScope: 'https://mail.google.com/',
    preset: 'Gmail',
    hint: 'Create an OAuth client in the Google Cloud console, then a refresh token for this account. The guide of this page shows each click.',
    refusedSending: 'The refresh token must be of this account, with the scope https://mail.google.com/.',
    refusedReading: 'The refresh token must be of this account, with the scope https://mail.google.com/.',
  },
  other: {
    name: 'The sign-in service',
    grants: ['client_credentials', 'refresh_token'],
    tokenEndpoint: '',
    tokenScope: '',
    preset: '',
    hint: 'The provider’s documentation has the token address and, for an app’s own permission, the scope.',
    refusedSending: 'The permission must cover sending from this mailbox by SMTP.',
    refusedReading: 'The permission must cover reading this mailbox by IMAP.',
  },
}

const tenantPattern = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i

/** @param tenant the ID of a Microsoft 365 tenant, or one of its domains */
export function endpointOfTenant(tenant: string): string {
  return tenantPattern.test(tenant.trim()) ? microsoftEndpoint(tenant.trim()) : ''
}

/** '' for an address that is none of Microsoft's. */
export function tenantOfEndpoint(endpoint: string): string {
  const [before = '', after = ''] = microsoftEndpoint('\n').split('\n')
  const isMicrosoft = endpoint.startsWith(before) && endpoint.endsWith(after)
  const tenant = isMicrosoft ? endpoint.slice(before.length, -after.length) : ''
  return tenantPattern.test(tenant) ? tenant : ''
}

// The address has no user name, password or fragment.
const endpointPattern = /^https:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?(\/[^\s#]*)?$/i

/** Security: client secrets go there. */
export function isTokenEndpoint(text: string): boolean {
  return endpointPattern.test(text)
}
