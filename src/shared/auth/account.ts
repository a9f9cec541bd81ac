import * as z from 'zod/mini'

export const leastPasswordLength = 15
// Limits the cost of hashing.
const maxPasswordLength = 1000

/** Why what it started stops. */
export const accountEnded = 'This account has ended.'

export const passwordMessages = {
  currentRequired: 'Please enter your current password.',
  currentWrong: 'The current password is incorrect.',
  newRequired: 'Please enter a new password.',
  tooShort: `Please use at least ${leastPasswordLength} characters. Use a passphrase only you would think of.`,
  tooLong: `Please shorten the password to ${maxPasswordLength} characters or fewer.`,
  guessable:
    'Please choose a password that is harder to guess. Avoid common passwords, words from this system, your e-mail address, sequences and repetitions.',
  same: 'Please choose a password that differs from the current one.',
  changedElsewhere: 'The password was changed in another session. Please try again.',
  first: 'Please change your first password before you go on.',
  firstEnded:
    'This password was valid for seven days. Ask an administrator for a new one, or set one on the server: npm run admin -- reset-password',
  tokensNoChoice: 'Please send true to end the API tokens, or false.',
  notRepeated: 'The new passwords do not match.',
}

export const codeMessages = {
  required: 'Please enter the 6-digit code from your authenticator app.',
  wrong: 'The code is incorrect. Please enter the latest code from your authenticator app.',
  wrongAtSetUp:
    'The code is incorrect. Please enter the latest code from your authenticator app, and check that your phone sets its time automatically.',
  wrongRecovery: 'This recovery code is incorrect or was already used. Each code works once.',
  unreadable:
    'Codes from your authenticator app cannot be checked on this server at the moment. Please use a recovery code or ask the server’s administrator.',
  notBegun: 'This setup has expired or was restarted elsewhere. Please start again.',
  alreadyOn: 'Two-factor sign-in is already on.',
  alreadyOff: 'Two-factor sign-in is off.',
  due: 'Please set up two-factor sign-in first.',
  staysOn: 'Your school requires two-factor sign-in, so it can’t be turned off.',
}

const currentPassword = z
  .string({ error: passwordMessages.currentRequired })
  .check(
    z.minLength(1, passwordMessages.currentRequired),
    z.maxLength(maxPasswordLength, passwordMessages.tooLong),
  )

export function isLongEnough(password: string): boolean {
  return [...password.normalize('NFKC')].length >= leastPasswordLength
}

const code = z
  .string({ error: codeMessages.required })
  .check(z.trim(), z.minLength(1, codeMessages.required), z.maxLength(64, codeMessages.wrong))

export const passwordChangeSchema = z.object({
  // Needed but for a first password that was given within the last minutes.
  currentPassword: z.optional(currentPassword),
  // Needed with two-factor sign-in.
  code: z.optional(code),
  endApiTokens: z._default(z.boolean({ error: passwordMessages.tokensNoChoice }), false),
  newPassword: z.string({ error: passwordMessages.newRequired }).check(
    z.minLength(1, passwordMessages.newRequired),
    z.maxLength(maxPasswordLength, passwordMessages.tooLong),
    z.refine((password) => password === '' || isLongEnough(password), passwordMessages.tooShort),
  ),
})

export type PasswordChange = z.output<typeof passwordChangeSchema>

export const passwordProofSchema = z.object({ password: currentPassword })

const deviceSchema = z.object({
  id: z.string(),
  browser: z.string(),
  system: z.string(),
  signedInAt: z.string(),
  lastUsedAt: z.string(),
  clientAddress: z.string(),
  isCurrent: z.boolean(),
  // Its session outlives the browser.
  isKept: z.boolean(),
})

export type Device = z.output<typeof deviceSchema>

export const devicesSchema = z.object({ items: z.array(deviceSchema) })

export const recoveryCodeCount = 10

export const twoFactorSchema = z.object({
  isOn: z.boolean(),
  // It can't be turned off.
  isRequired: z.boolean(),
  since: z.nullable(z.string()),
  recoveryCodesLeft: z.number(),
})

export type TwoFactor = z.output<typeof twoFactorSchema>

export const twoFactorSetUpSchema = z.object({ secret: z.string(), uri: z.string(), qrCode: z.string() })

export type TwoFactorSetUp = z.output<typeof twoFactorSetUpSchema>

export const codeSchema = z.object({ code })

export const codeProofSchema = z.object({
  password: currentPassword,
  code: z.optional(code),
})

export type CodeProof = z.output<typeof codeProofSchema>

export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) })
