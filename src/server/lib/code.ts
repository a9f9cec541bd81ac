import { randomInt } from 'node:crypto'

/** Without letters and digits that are taken for each other. */
export const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTWXYZ'

/** Not guessable: 30 to the power of its length. */
export function createCode(length: number): string {
  return Array.from({ length }, () => codeAlphabet.charAt(randomInt(codeAlphabet.length))).join('')
}
