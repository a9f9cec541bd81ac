import { randomInt } from 'node:crypto'

/** The alphabet lacks letters and digits that are easily confused. */
export const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTWXYZ'

/** Not guessable: 30 to the power of its length. */
export function createCode(length: number): string {
  return Array.from({ length }, () => codeAlphabet.charAt(randomInt(codeAlphabet.length))).join('')
}
