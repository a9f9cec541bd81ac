import * as z from 'zod/mini'

/** An administrator's own account: password, signed-in devices, two-factor sign-in. */

export const leastPasswordLength = 15
/** Far beyond any passphrase; what is hashed must have a bound. */
const mostPasswordLength = 1000

/** The sentences about a new password. */
export const passwordMessages = {
  currentRequired: 'Please enter your current password.',
  currentWrong: 'This is not your current password.',
  newRequired: 'Please enter a new password.',
  tooShort: `Please use at least ${leastPasswordLength} characters. A sentence only you would say is easy to remember.`,
  tooLong: `Please shorten the password to ${mostPasswordLength} characters or fewer.`,
  guessable:
    'Please choose a password that is harder to guess. This one is made of common passwords, words of this system, your address, sequences or repetitions.',
  same: 'Please choose a password other than the current one.',
  changedElsewhere: 'The password was changed elsewhere in the meantime. Please try again.',
  notRepeated: 'The two new passwords are not the same.',
}

const currentPassword = z
  .string({ error: passwordMessages.currentRequired })
  .check(
    z.minLength(1, passwordMessages.currentRequired),
    z.maxLength(mostPasswordLength, passwordMessages.tooLong),
  )

/** How long a person takes a text to be: 'ñ' is one character however it was typed. */
export function isLongEnough(password: string): boolean {
  return [...password.normalize('NFKC')].length >= leastPasswordLength
}

export const passwordChangeSchema = z.object({
  currentPassword,
  newPassword: z.string({ error: passwordMessages.newRequired }).check(
    z.minLength(1, passwordMessages.newRequired),
    z.maxLength(mostPasswordLength, passwordMessages.tooLong),
    z.refine((password) => password === '' || isLongEnough(password), passwordMessages.tooShort),
  ),
})

export type PasswordChange = z.output<typeof passwordChangeSchema>

/** What is asked again before something that a forgotten open screen must not allow. */
export const passwordProofSchema = z.object({ password: currentPassword })

/** A browser that is signed in. */
export const deviceSchema = z.object({
  id: z.string(),
  /** 'Chrome', '' when the browser didn't tell. */
  browser: z.string(),
  /** 'Windows', '' when the browser didn't tell. */
  system: z.string(),
  /** ISO instants. */
  signedInAt: z.string(),
  lastUsedAt: z.string(),
  /** The network address at signing in, '' when it isn't known. */
  clientAddress: z.string(),
  isCurrent: z.boolean(),
})

export type Device = z.output<typeof deviceSchema>

export const devicesSchema = z.object({ items: z.array(deviceSchema) })

/** The sentences about codes. */
export const codeMessages = {
  required: 'Please enter the 6-digit code of your authenticator app.',
  wrong: 'This code is not right. Please enter the newest code of your authenticator app.',
  /** The clock of the phone is the usual cause. */
  wrongAtSetUp:
    'This code does not match. Please enter the newest code of your authenticator app, and check that the clock of your phone sets itself.',
  wrongRecovery: 'This recovery code is not right, or it was used before. Each one works once.',
  unreadable:
    'The codes of your authenticator app can not be checked on this server at the moment. Please use a recovery code, or ask whoever runs the server.',
  notBegun: 'The set-up is over or was begun anew elsewhere. Please start again.',
  alreadyOn: 'Two-factor sign-in is already on.',
  alreadyOff: 'Two-factor sign-in is off.',
}

export const recoveryCodeCount = 10

export const twoFactorSchema = z.object({
  isOn: z.boolean(),
  /** ISO instant since when; null while it is off. */
  since: z.nullable(z.string()),
  recoveryCodesLeft: z.number(),
})

export type TwoFactor = z.output<typeof twoFactorSchema>

/** What an authenticator app needs to know. */
export const twoFactorSetUpSchema = z.object({
  /** Base32, to type where no camera is. */
  secret: z.string(),
  /** otpauth://totp/… */
  uri: z.string(),
  /** The same as a picture: a data URL of an SVG. */
  qrCode: z.string(),
})

export type TwoFactorSetUp = z.output<typeof twoFactorSetUpSchema>

export const codeSchema = z.object({
  code: z
    .string({ error: codeMessages.required })
    .check(z.trim(), z.minLength(1, codeMessages.required), z.maxLength(64, codeMessages.wrong)),
})

/** Shown this once: the server keeps only what they hash to. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) })
