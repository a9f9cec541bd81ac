import * as z from 'zod/mini'

// Security: a found file allows unlimited guesses.
export const minPassphraseLength = 15

const passphraseSchema = z
  .string()
  .check(
    z.minLength(minPassphraseLength, `The passphrase must have at least ${minPassphraseLength} characters.`),
    z.maxLength(200, 'The passphrase can have at most 200 characters.'),
  )

export const backupRequestSchema = z.strictObject({ passphrase: passphraseSchema })
