import { isDeepStrictEqual } from 'node:util'
import type { AppContext } from '#server/lib/app-context.ts'
import type { CompleteMailAccount, GivenSecrets } from '#shared/mail/mail-account.ts'
import type { MailAccount } from '#shared/mail/mail-response.ts'
import type { AccessTokens, Credentials } from './mailer.ts'
import { createAccessTokens, type RefreshTokens } from './smtp/access-tokens.ts'
import type { MailServerRule } from './smtp/allowed-server.ts'

export const secretNames = ['password', 'clientSecret', 'refreshToken'] as const

type PerSecret<Value> = Record<(typeof secretNames)[number], Value>

/** '' for what the account's way of signing in doesn't need. */
export type AccountSecrets = PerSecret<string>

export function eachSecret<From, To>(secrets: PerSecret<From>, change: (secret: From) => To): PerSecret<To> {
  const { password, clientSecret, refreshToken } = secrets
  return {
    password: change(password),
    clientSecret: change(clientSecret),
    refreshToken: change(refreshToken),
  }
}

/** `secrets`: null when they can't be read. */
export interface OpenedAccount {
  account: MailAccount | null
  secrets: AccountSecrets | null
}

const noSecrets: AccountSecrets = { password: '', clientSecret: '', refreshToken: '' }

interface SignInOptions extends Pick<AppContext, 'clock' | 'log'> {
  rule: Pick<MailServerRule, 'mayConnect'>
}

/** What the account signs in with. */
export function createSignIns({ clock, log, rule }: SignInOptions, storedTokens: RefreshTokens) {
  // The access tokens of the stored account serve all connections until the account changes.
  let kept: { account: MailAccount; clientSecret: string; tokens: AccessTokens } | undefined

  function credentialsOf(
    account: CompleteMailAccount,
    { password, clientSecret }: AccountSecrets,
    refreshTokens: RefreshTokens,
  ): Credentials {
    const { signIn } = account
    if (signIn === 'password') return { password }
    const { mayConnect } = rule
    const provider = { ...account, signIn }
    const tokens = createAccessTokens({
      account: provider,
      clientSecret,
      refreshTokens,
      mayConnect,
      clock,
      log,
    })
    return { password: '', tokens }
  }

  return {
    stored(account: MailAccount, secrets: AccountSecrets): Credentials {
      const { clientSecret } = secrets
      if (kept?.clientSecret === clientSecret && isDeepStrictEqual(kept.account, account)) {
        return { password: '', tokens: kept.tokens }
      }
      const credentials = credentialsOf(account, secrets, storedTokens)
      const { tokens } = credentials
      kept = tokens && { account, clientSecret, tokens }
      return credentials
    },

    // The next account may begin with the same version.
    forget(): void {
      kept = undefined
    },

    /**
     * The sign-in of an account before it is stored. The test of its sign-in gets a separate access token, and may
     * get another refresh token.
     */
    candidate(next: CompleteMailAccount, given: GivenSecrets, before: OpenedAccount) {
      const base = (before.account?.signIn === next.signIn && before.secrets) || noSecrets
      const isOfPerson = next.signIn !== 'password' && next.grant === 'refresh_token'
      const isStored = given.refreshToken === ''
      let typed = given.refreshToken
      const typedTokens: RefreshTokens = {
        current: () => typed,
        replace: async (_used, replaced) => {
          typed = replaced
        },
        reload: async () => undefined,
      }
      const ofApp: RefreshTokens = { ...typedTokens, current: () => '' }
      const chosen = {
        password: next.signIn === 'password' ? given.emailPassword || base.password : '',
        clientSecret: next.signIn === 'password' ? '' : given.clientSecret || base.clientSecret,
      }
      const refreshTokens = !isOfPerson ? ofApp : isStored ? storedTokens : typedTokens

      return {
        credentials: credentialsOf(next, { ...chosen, refreshToken: '' }, refreshTokens),

        /** @param current those that are stored now */
        secrets(current: AccountSecrets | null): AccountSecrets {
          const refreshToken = isStored ? (current?.refreshToken ?? '') : typed
          return { ...chosen, refreshToken: isOfPerson ? refreshToken : '' }
        },
      }
    },
  }
}
