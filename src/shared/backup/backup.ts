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

/** Nightly: without a folder it is off, without a passphrase it keeps its own. */
export const nightlyBackupSchema = z.strictObject({
  folder: z
    .string()
    .check(
      z.trim(),
      z.maxLength(500, 'The folder can have at most 500 characters.'),
      z.regex(/^\P{C}*$/u, 'Please remove the unusual characters from the folder.'),
    ),
  passphrase: z.optional(passphraseSchema),
})

export type NightlyBackupInput = z.infer<typeof nightlyBackupSchema>

/** The days of which nightly backups are kept. */
export const nightsKept = 30
