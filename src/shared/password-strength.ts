import { commonWords } from './common-words.ts'

/**
 * How hard a password is to guess for somebody who tries what people choose: common passwords and words, in
 * capitals or with digits for letters, the names of this system and of its owner, years, sequences, rows of keys
 * and repetitions. It is the cheapest way to put the password together from such pieces, counted in bits.
 */

/** Below this a password is refused: three common words, or a word with decorations. In bits. */
export const leastBits = 40

/** Words that everybody knows of this system, whatever the school's name. */
const knownHere = [
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
/** Keys one below the other: 1qaz2wsx. */
const columnsOfKeys = '1qaz2wsx3edc4rfv5tgb6yhn7ujm'

/** What a letter is often written as. */
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

/** What a piece costs an attacker, in bits. */
const costs = { letter: 4.7, digit: 3.3, other: 5, known: 3, common: 11, year: 6, sequence: 4, again: 2 }
const longestPiece = 24

/**
 * @param ownWords further names that an attacker knows: the e-mail address, the school's name
 * @returns bits; 0 for nothing
 */
export function passwordBits(password: string, ownWords: readonly string[] = []): number {
  const text = password.normalize('NFKC').toLowerCase()
  const plain = [...text].map((character) => disguises[character] ?? character).join('')
  const known = new Set([...knownHere, ...ownWords.flatMap(wordsOf)])
  const repeats = createRepeatFinder(text)
  // The cheapest way to each place of the text.
  const cheapest = [0]
  const upTo = (place: number) => cheapest[place] ?? 0
  for (let end = 1; end <= text.length; end++) {
    let least = upTo(end - 1) + costOfCharacter(text.charAt(end - 1))
    for (let start = Math.max(0, end - longestPiece); start < end - 1; start++) {
      const cost = costOfPiece(text.slice(start, end), plain.slice(start, end), known)
      least = Math.min(least, upTo(start) + cost)
    }
    for (const start of repeats.endingAt(end)) least = Math.min(least, upTo(start) + costs.again)
    cheapest.push(least)
  }
  return upTo(text.length)
}

/** 'coordinator@school.example' → its parts of three letters and more. */
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

function costOfPiece(piece: string, undisguised: string, known: ReadonlySet<string>): number {
  if (known.has(piece) || known.has(undisguised)) return costs.known
  if (commonWords.has(piece) || commonWords.has(undisguised)) return costs.common
  if (isSequence(piece)) return costs.sequence + Math.log2(piece.length)
  if (/^(19|20)\d\d$/.test(piece)) return costs.year
  return Number.POSITIVE_INFINITY
}

/** Finds what only says again what stands before it: 'aaaa', 'abcabc', 'passwordpassword'. */
function createRepeatFinder(text: string) {
  // By period: how many characters up to here are what stood one period before.
  const lengths = Array<number>(longestPiece + 1).fill(0)
  return {
    /** Where repetitions begin that end here. To be asked for each place in turn. */
    endingAt(end: number): number[] {
      const starts: number[] = []
      for (let period = 1; period <= longestPiece; period++) {
        const isSame = end > period && text[end - 1] === text[end - 1 - period]
        const length = isSame ? (lengths[period] ?? 0) + 1 : 0
        lengths[period] = length
        if (length >= Math.max(period, 2)) starts.push(end - length)
      }
      return starts
    },
  }
}

function isSequence(piece: string): boolean {
  if (piece.length < 3) return false
  return columnsOfKeys.includes(piece) || sequences.some((sequence) => sequence.includes(piece))
}
