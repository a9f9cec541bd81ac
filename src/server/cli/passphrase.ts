import { ConfigurationError, type Env } from '#server/env.ts'
import { minPassphraseLength } from '#shared/backup.ts'
import type { Terminal } from './terminal.ts'

/**
 * The passphrase for a new backup, typed twice; a slip of the finger would make the file worthless.
 *
 * @throws ConfigurationError
 */
export async function choosePassphrase({ BACKUP_PASSPHRASE }: Env, terminal: Terminal): Promise<string> {
  if (BACKUP_PASSPHRASE !== undefined) return BACKUP_PASSPHRASE
  if (!terminal.isInteractive) throw nobodyToAsk()
  const passphrase = await terminal.askHidden('Passphrase: ')
  if (passphrase.length < minPassphraseLength) {
    throw new ConfigurationError(`The passphrase must have at least ${minPassphraseLength} characters.`)
  }
  if ((await terminal.askHidden('The same again: ')) !== passphrase) {
    throw new ConfigurationError('The two passphrases differ. No backup was made.')
  }
  return passphrase
}

/**
 * The passphrase of a backup that exists.
 *
 * @throws ConfigurationError
 */
export async function recallPassphrase({ BACKUP_PASSPHRASE }: Env, terminal: Terminal): Promise<string> {
  if (BACKUP_PASSPHRASE !== undefined) return BACKUP_PASSPHRASE
  if (!terminal.isInteractive) throw nobodyToAsk()
  return terminal.askHidden('Passphrase of the backup: ')
}

function nobodyToAsk(): ConfigurationError {
  return new ConfigurationError(
    'There is no terminal to ask for the passphrase. Set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE.',
  )
}
