// Estimates the cheapest way to build the password from common words, names, years, sequences, key rows and repetitions. In bits.

import commonLines from './common-words.json' with { type: 'json' }

// bits: below it a password is refused.
export const leastBits = 40

const productWords = [
  ...['nstp', 'rotc', 'cwts', 'lts', 'portal', 'coordinator', 'administrator', 'admin', 'office', 'local'],
  ...['school', 'college', 'university', 'campus', 'student', 'enlistment', 'enlist', 'registration'],
  ...['national', 'service', 'training', 'program', 'reserve', 'officers', 'civic', 'welfare', 'literacy'],
  ...['philippines', 'pilipinas', 'pinoy', 'manila', 'mabuhay', 'mahalkita', 'password', 'passphrase'],
  ...['passcode', 'pass', 'word', 'phrase', 'login', 'signin', 'welcome', 'letmein', 'secret', 'change'],
]

const rowsOfKeys = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1234567890',
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
]
const sequences = rowsOfKeys.flatMap((row) => [row, [...row].reverse().join('')])
const columnsOfKeys = '1qaz2wsx3edc4rfv5tgb6yhn7ujm'

const disguises: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

// bits
const costs = { letter: 4.7, digit: 3.3, other: 5, known: 3, common: 11, year: 6, sequence: 4, again: 2 }
const longestPart = 24

/**
 * @param ownWords names that an attacker knows
 * @returns bits; 0 for an empty password
 */
export function passwordBits(password: string, ownWords: readonly string[] = []): number {
  const text = password.normalize('NFKC').toLowerCase()
  const plain = [...text].map((character) => disguises[character] ?? character).join('')
  const known = new Set([...productWords, ...ownWords.flatMap(wordsOf)])
  const repeats = createRepeatFinder(text)
  // The cheapest way to each position of the text.
  const cheapest = [0]
  const upTo = (end: number) => cheapest[end] ?? 0
  for (let end = 1; end <= text.length; end++) {
    let least = upTo(end - 1) + costOfCharacter(text.charAt(end - 1))
    for (let start = Math.max(0, end - longestPart); start < end - 1; start++) {
      const cost = costOfPart(text.slice(start, end), plain.slice(start, end), known)
      least = Math.min(least, upTo(start) + cost)
    }
    for (const start of repeats.endingAt(end)) least = Math.min(least, upTo(start) + costs.again)
    cheapest.push(least)
  }
  return upTo(text.length)
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3)
}

function costOfCharacter(character: string): number {
  if (/\p{L}/u.test(character)) return costs.letter
  return /\d/.test(character) ? costs.digit : costs.other
}

function costOfPart(part: string, undisguised: string, known: ReadonlySet<string>): number {
  if (known.has(part) || known.has(undisguised)) return costs.known
  if (commonWords.has(part) || commonWords.has(undisguised)) return costs.common
  if (isSequence(part)) return costs.sequence + Math.log2(part.length)
  if (/^(19|20)\d\d$/.test(part)) return costs.year
  return Number.POSITIVE_INFINITY
}

function createRepeatFinder(text: string) {
  // How many characters up to here equal those one period before, by the length of the period.
  const lengths = Array<number>(longestPart + 1).fill(0)
  return {
    endingAt(end: number): number[] {
      const starts: number[] = []
      for (let period = 1; period <= longestPart; period++) {
        const isSame = end > period && text[end - 1] === text[end - 1 - period]
        const length = isSame ? (lengths[period] ?? 0) + 1 : 0
        lengths[period] = length
        if (length >= Math.max(period, 2)) starts.push(end - length)
      }
      return starts
    },
  }
}

function isSequence(part: string): boolean {
  if (part.length < 3) return false
  return columnsOfKeys.includes(part) || sequences.some((sequence) => sequence.includes(part))
}

// Words of five letters and more from the list of John the Ripper ("compiled by Solar Designer of Openwall Project, in 1996 through 2011; assumed to
// be in the public domain"). Load it on demand: it is large.
const commonWords: ReadonlySet<string> = new Set(commonLines.flatMap((line) => line.split(' ')))
