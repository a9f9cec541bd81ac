import { randomBytes } from 'node:crypto'

const alphabet = '23456789ABCDEFGHJKLMNPQRSTWXYZ'
// Bytes above this would favour the first characters.
const fairBytes = 256 - (256 % alphabet.length)
const length = 8

/** NSTP-XXXX-XXXX, one of 6 × 10¹¹: not guessable. */
export function createReference(): string {
  let characters = ''
  while (characters.length < length) {
    for (const byte of randomBytes(2 * length)) {
      if (byte < fairBytes) characters += alphabet.charAt(byte % alphabet.length)
    }
  }
  return `NSTP-${characters.slice(0, 4)}-${characters.slice(4, length)}`
}
