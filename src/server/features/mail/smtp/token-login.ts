import type { NodemailerError } from 'nodemailer'
import XOAuth2 from 'nodemailer/lib/xoauth2'
import type { AccessTokens, SendingAccount } from '#server/features/mail/mailer.ts'
import { notShown } from '#shared/mail/mail.ts'
import { oauthProviders } from '#shared/mail/mail-sign-in.ts'
import { answered, SignInFailure } from './failures.ts'

/**
 * What nodemailer signs in with.
 * @param onSecret for each text that no transcript may show
 */
export function createTokenLogin(
  { userName: user, host }: Pick<SendingAccount, 'userName' | 'host'>,
  tokens: AccessTokens,
  onSecret: (secret: string) => void,
) {
  let last = ''
  let failure: SignInFailure | undefined

  const oauth2 = new XOAuth2({
    user,
    // `isRefused`: the server said so, and nodemailer tries once more.
    provisionCallback(_user, isRefused, done) {
      if (isRefused) tokens.forget(last)
      tokens.current().then(
        (token) => {
          last = token
          for (const secret of secretsOf(token)) onSecret(secret)
          done(null, token)
        },
        (error: unknown) => {
          if (error instanceof SignInFailure) failure = error
          done(error instanceof Error ? error : new Error(String(error)))
        },
      )
    },
  })

  // The longer one first: it may contain the other.
  const secretsOf = (token: string) => [oauth2.buildXOAuth2Token(token), token]

  return {
    auth: { user, oauth2 },

    /** Why it failed, in our words where they are known. */
    reasonOf(error: NodemailerError): Error {
      if (failure) return failure
      const { code, response, responseCode = 0 } = error
      if (code !== 'EAUTH' || response === undefined || responseCode < 500) return error
      tokens.forget(last)
      // Security: a server may repeat what it refuses.
      const said = secretsOf(last).reduce((text, secret) => text.replaceAll(secret, notShown), response)
      const { name, refusedSending } = oauthProviders[tokens.way]
      const problem = `The mail server did not accept the permission of ${name} for ${user}. Please check the configuration.`
      const advice = `${host} did not accept the permission of ${name} for ${user}. ${refusedSending}`
      return new SignInFailure(
        { kind: 'sign-in', sentence: answered(problem, said) },
        { path: 'signIn', message: answered(advice, said) },
      )
    },
  }
}
