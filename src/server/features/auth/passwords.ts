import { randomBytes, randomInt } from 'node:crypto'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { createWorkQueue } from '#server/lib/work-queue.ts'

/**
 * Argon2id, above the minimum that OWASP names for this memory (19 MiB, 2 passes): 15–30 ms on a small
 * machine. Old hashes follow at the next sign-in when these change.
 */
const parameters = { memoryCost: 19_456, timeCost: 3, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

/** Two at once: 38 MiB at most, and two of libuv's four threads stay free for files and names. */
const atOnce = 2
/** About one second of work, well within a request's time. */
const waiting = 100

/** Hashing of passwords, with a bound on what it takes of the machine. */
export interface Passwords {
  hash: (password: string) => Promise<string>
  /** @param isUrgent goes before the others: a crowd of guesses doesn't hold up who was here before */
  verify: (passwordHash: string, password: string, options: { isUrgent: boolean }) => Promise<boolean>
  /** Whether the hash was made with other parameters than today's. */
  isOutdated: (passwordHash: string) => boolean
  /** A hash that no password opens and that takes as long to check as any: for addresses nobody has. */
  decoyHash: string
}

export function createPasswords(): Passwords {
  const queue = createWorkQueue({ atOnce, waiting })
  return {
    hash: (password) => queue.run(() => hash(typed(password), parameters), { isUrgent: true }),
    verify: (passwordHash, password, options) =>
      queue.run(() => verify(passwordHash, typed(password)), options),
    isOutdated,
    decoyHash: createDecoyHash(),
  }
}

/** The same letters typed on another keyboard or system may come in another Unicode form ('ñ' as n + tilde). */
function typed(password: string): string {
  return password.normalize('NFKC')
}

function isOutdated(passwordHash: string): boolean {
  const used = parseOptions(passwordHash)
  return (
    used.memoryCost !== parameters.memoryCost ||
    used.timeCost !== parameters.timeCost ||
    used.parallelism !== parameters.parallelism
  )
}

/** Random bytes in the place of the hash: nothing has to be computed at start-up. */
function createDecoyHash(): string {
  const { memoryCost, timeCost, parallelism } = parameters
  const random = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')
  const costs = `m=${memoryCost},t=${timeCost},p=${parallelism}`
  return `$argon2id$v=19$${costs}$${random(saltBytes)}$${random(hashBytes)}`
}

/** Letters and digits that nobody confuses when copying from a screen or a slip of paper. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

/** A password to read out and type: 'h7mp-x3tr-9wqd-b4fz', some 79 random bits. */
export function generatePassword(): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}
