import * as z from 'zod/mini'

/** As long as an administrator's password: whoever finds the file may guess as often as they like. */
export const minPassphraseLength = 15

/** What a new backup is sealed with. */
const passphraseSchema = z
  .string()
  .check(
    z.minLength(minPassphraseLength, `The passphrase must have at least ${minPassphraseLength} characters.`),
    z.maxLength(200, 'The passphrase may have at most 200 characters.'),
  )

export const backupRequestSchema = z.strictObject({ passphrase: z.optional(passphraseSchema) })

/** What the system settings say of backups. */
export interface BackupStatus {
  /** The last one that was read to its end. */
  last: { at: string; isSealed: boolean } | null
}
