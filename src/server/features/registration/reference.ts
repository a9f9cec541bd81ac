import { randomBytes } from 'node:crypto'

/** Digits and capitals that nobody confuses when read aloud or copied by hand: no 0 and O, 1 and I, U and V. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTWXYZ'
/** Bytes from here on would make the first characters of the alphabet more likely than the others. */
const fairBytes = 256 - (256 % alphabet.length)
const length = 8

/** A new reference for a student to keep: NSTP-XXXX-XXXX, one of 6 × 10¹¹, so that none can be guessed. */
export function createReference(): string {
  let characters = ''
  while (characters.length < length) {
    for (const byte of randomBytes(2 * length)) {
      if (byte < fairBytes) characters += alphabet.charAt(byte % alphabet.length)
    }
  }
  return `NSTP-${characters.slice(0, 4)}-${characters.slice(4, length)}`
}
