import { randomBytes, randomInt } from 'node:crypto'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { createWorkQueue } from '#server/lib/work-queue.ts'

// Argon2id above OWASP's minimum for this memory (19 MiB, 2 passes): 15–30 ms. Old hashes are renewed at the next sign-in.
const productCost = { memoryCost: 19_456, timeCost: 3, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

// 38 MiB at most; leaves two of libuv's four threads for files and DNS.
const atOnce = 2
// About one second of work.
const waiting = 100

export type PasswordCost = typeof productCost

export interface Passwords {
  hash: (password: string) => Promise<string>
  /** @param isUrgent goes first, so that a flood of guesses can't block signed-in users */
  verify: (passwordHash: string, password: string, options: { isUrgent: boolean }) => Promise<boolean>
  isOutdated: (passwordHash: string) => boolean
  // Security: equal time for unknown addresses.
  decoyHash: string
}

export function createPasswords(cost: PasswordCost = productCost): Passwords {
  const queue = createWorkQueue({ atOnce, waiting })
  return {
    hash: (password) => queue.run(() => hash(typed(password), cost), { isUrgent: true }),
    verify: (passwordHash, password, options) =>
      queue.run(() => verify(passwordHash, typed(password)), options),
    isOutdated: (passwordHash) => isOutdated(passwordHash, cost),
    decoyHash: createDecoyHash(cost),
  }
}

// 'ñ' may arrive as n + tilde (Unicode normalisation).
function typed(password: string): string {
  return password.normalize('NFKC')
}

function isOutdated(passwordHash: string, cost: PasswordCost): boolean {
  const used = parseOptions(passwordHash)
  return (
    used.memoryCost !== cost.memoryCost ||
    used.timeCost !== cost.timeCost ||
    used.parallelism !== cost.parallelism
  )
}

// Random bytes: no hash is computed at start-up.
function createDecoyHash({ memoryCost, timeCost, parallelism }: PasswordCost): string {
  const random = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')
  const costs = `m=${memoryCost},t=${timeCost},p=${parallelism}`
  return `$argon2id$v=19$${costs}$${random(saltBytes)}$${random(hashBytes)}`
}

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

/** 'h7mp-x3tr-9wqd-b4fz', about 79 random bits. */
export function generatePassword(): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}
