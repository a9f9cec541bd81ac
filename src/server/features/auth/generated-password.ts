import { randomInt } from 'node:crypto'

/** Letters and digits that nobody confuses when copying from a screen or a slip of paper. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

/** A password to read out and type: 'h7mp-x3tr-9wqd-b4fz', some 79 random bits. */
export function generatePassword(): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}
