import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import type { TwoFactorSetUp } from '#shared/account.ts'

/** RFC 4226 recommends 160 bits. */
const secretBytes = 20
/** What every authenticator app takes: SHA-1, six digits, half a minute. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** How many steps a clock may be off, to either side. */
const stepsOff = 1

/** A new secret in base32. */
export function createTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32
}

/** What an authenticator app reads. @param issuer the name it shows above the account */
export function describeTotp(
  secret: string,
  { issuer, account }: { issuer: string; account: string },
): TwoFactorSetUp {
  const uri = new TOTP({ ...parameters, secret, issuer, label: account }).toString()
  const picture = renderSVG(uri, { border: 4 })
  return { secret, uri, qrCode: `data:image/svg+xml,${encodeURIComponent(picture)}` }
}

/** The time step (RFC 6238) whose code this is, of now and its neighbours; null when it is none of theirs. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const totp = new TOTP({ ...parameters, secret })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: stepsOff })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

/** The time step that a moment lies in. */
export function stepAt(now: Date): number {
  return TOTP.counter({ ...parameters, timestamp: now.getTime() })
}

/** '123 456', as apps show it, → '123456'; undefined for what can't be such a code. */
export function parseTotpCode(typed: string): string | undefined {
  const code = typed.replace(/[\s-]/g, '')
  return /^\d{6}$/.test(code) ? code : undefined
}
