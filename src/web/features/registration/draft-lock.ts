/*
 * Answers that a device keeps are encrypted by a key that the student's birth date gives. It stops who picks the phone up,
 * not who tries all dates: there are few.
 */

const rounds = 300_000

export interface Lock {
  key: CryptoKey
  salt: string
}

export interface LockedText {
  salt: string
  iv: string
  data: string
}

/** Over plain http browsers encrypt nothing. */
export function canLock(): boolean {
  return crypto.subtle !== undefined
}

export const lockOf = (birthDate: string) => deriveLock(birthDate, toBase64(randomBytes(16)))

async function deriveLock(birthDate: string, salt: string): Promise<Lock> {
  const secret = await crypto.subtle.importKey('raw', encodeText(birthDate), 'PBKDF2', false, ['deriveKey'])
  const key = await crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt: fromBase64(salt), iterations: rounds },
    secret,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
  return { key, salt }
}

export async function lockText({ key, salt }: Lock, text: string): Promise<LockedText> {
  const iv = randomBytes(12)
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, encodeText(text))
  return { salt, iv: toBase64(iv), data: toBase64(new Uint8Array(data)) }
}

/** @returns the text, and its lock for the next one; undefined for another birth date, or when the text was changed */
export async function openText(
  birthDate: string,
  { salt, iv, data }: LockedText,
): Promise<{ lock: Lock; text: string } | undefined> {
  try {
    const lock = await deriveLock(birthDate, salt)
    const opened = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: fromBase64(iv) },
      lock.key,
      fromBase64(data),
    )
    return { lock, text: new TextDecoder().decode(opened) }
  } catch {
    return undefined
  }
}

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count))
const encodeText = (text: string) => new TextEncoder().encode(text)
const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
