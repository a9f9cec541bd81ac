import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { ConfigurationError, type Env } from '#server/env.ts'
import { minPassphraseLength } from '#shared/backup/backup.ts'

export interface Terminal {
  isInteractive: boolean
  ask: (question: string) => Promise<string>
  askHidden: (question: string) => Promise<string>
}

/** The terminal of this process. Questions are written to standard error, so that standard output contains results only. */
export function createTerminal(): Terminal {
  return {
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    ask: (question) => read(question, process.stderr),
    askHidden: async (question) => {
      process.stderr.write(question)
      try {
        return await read('', new Writable({ write: (_chunk, _encoding, done) => done() }))
      } finally {
        process.stderr.write('\n')
      }
    },
  }
}

async function read(question: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  // Ctrl+C and Ctrl+D: no answer will follow.
  lines.once('SIGINT', () => lines.close())
  const closed = once(lines, 'close').then(() => {
    throw new ConfigurationError('Cancelled. Nothing was changed.')
  })
  try {
    return await Promise.race([lines.question(question), closed])
  } finally {
    closed.catch(() => undefined)
    lines.close()
  }
}

// Typed twice: a typing error would make the backup unreadable.
export async function choosePassphrase({ BACKUP_PASSPHRASE }: Env, terminal: Terminal): Promise<string> {
  if (BACKUP_PASSPHRASE !== undefined) return BACKUP_PASSPHRASE
  if (!terminal.isInteractive) throw noTerminal()
  const passphrase = await terminal.askHidden('Passphrase: ')
  if (passphrase.length < minPassphraseLength) {
    throw new ConfigurationError(`The passphrase must have at least ${minPassphraseLength} characters.`)
  }
  if ((await terminal.askHidden('Confirm passphrase: ')) !== passphrase) {
    throw new ConfigurationError('The passphrases differ. No backup was made.')
  }
  return passphrase
}

export async function recallPassphrase({ BACKUP_PASSPHRASE }: Env, terminal: Terminal): Promise<string> {
  if (BACKUP_PASSPHRASE !== undefined) return BACKUP_PASSPHRASE
  if (!terminal.isInteractive) throw noTerminal()
  return terminal.askHidden('Passphrase of the backup: ')
}

function noTerminal(): ConfigurationError {
  return new ConfigurationError(
    'There is no terminal to ask for the passphrase. Set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE.',
  )
}
