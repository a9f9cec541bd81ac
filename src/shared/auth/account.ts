import * as z from 'zod/mini'

export const leastPasswordLength = 15
// Limits the cost of hashing.
const maxPasswordLength = 1000

export const passwordMessages = {
  currentRequired: 'Please enter your current password.',
  currentWrong: 'This is not your current password.',
  newRequired: 'Please enter a new password.',
  tooShort: `Please use at least ${leastPasswordLength} characters. A sentence only you would say is easy to remember.`,
  tooLong: `Please shorten the password to ${maxPasswordLength} characters or fewer.`,
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
    z.maxLength(maxPasswordLength, passwordMessages.tooLong),
  )

export function isLongEnough(password: string): boolean {
  return [...password.normalize('NFKC')].length >= leastPasswordLength
}

export const passwordChangeSchema = z.object({
  currentPassword,
  newPassword: z.string({ error: passwordMessages.newRequired }).check(
    z.minLength(1, passwordMessages.newRequired),
    z.maxLength(maxPasswordLength, passwordMessages.tooLong),
    z.refine((password) => password === '' || isLongEnough(password), passwordMessages.tooShort),
  ),
})

export type PasswordChange = z.output<typeof passwordChangeSchema>

export const passwordProofSchema = z.object({ password: currentPassword })

export const deviceSchema = z.object({
  id: z.string(),
  browser: z.string(),
  system: z.string(),
  signedInAt: z.string(),
  lastUsedAt: z.string(),
  clientAddress: z.string(),
  isCurrent: z.boolean(),
})

export type Device = z.output<typeof deviceSchema>

export const devicesSchema = z.object({ items: z.array(deviceSchema) })

export const codeMessages = {
  required: 'Please enter the 6-digit code of your authenticator app.',
  wrong: 'This code is not right. Please enter the newest code of your authenticator app.',
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
  since: z.nullable(z.string()),
  recoveryCodesLeft: z.number(),
})

export type TwoFactor = z.output<typeof twoFactorSchema>

export const twoFactorSetUpSchema = z.object({
  secret: z.string(),
  uri: z.string(),
  qrCode: z.string(),
})

export type TwoFactorSetUp = z.output<typeof twoFactorSetUpSchema>

export const codeSchema = z.object({
  code: z
    .string({ error: codeMessages.required })
    .check(z.trim(), z.minLength(1, codeMessages.required), z.maxLength(64, codeMessages.wrong)),
})

export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) })
