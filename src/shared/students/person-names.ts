import { editDistance } from '#shared/edit-distance.ts'

export interface WrittenName {
  lastName: string
  firstName: string
  middleName: string
  extensionName: string
  /** All of it in one text, where nobody knows its order. */
  fullName: string
}

/** A name as it is compared: words of small letters without accents. */
export interface ComparedName {
  last: readonly string[]
  first: readonly string[]
  middle: string
  extension: string
  // The same name, read in each of the ways in which it may be meant.
  readings: readonly { last: readonly string[]; first: readonly string[] }[]
  keys: readonly string[]
}

/** The extensions as a record has them, by how people write them. */
const extensions: Readonly<Record<string, string>> = {
  jr: 'Jr.',
  junior: 'Jr.',
  sr: 'Sr.',
  senior: 'Sr.',
  ii: 'II',
  iii: 'III',
  iv: 'IV',
}
const abbreviated: Readonly<Record<string, string>> = { ma: 'maria', sta: 'santa', sto: 'santo' }
const abbreviation = /\b(?:ma|sta|sto)\b/gi

/** What belongs to the word behind it: "De la Cruz", "Dela Cruz" and "Delacruz" are one name. */
const particles = [
  /\b(de) (?=l(?:as?|os) [a-z]{2})/g,
  /\b(delas?|delos|del|de|da|san|santa|santo|mac|mc) (?=[a-z]{2})/g,
]

function spelledOut(text: string): string {
  return text.replace(abbreviation, (word) => abbreviated[word.toLowerCase()] ?? word)
}

const ordinals: Readonly<Record<string, string>> = { '2nd': 'ii', '3rd': 'iii', '4th': 'iv' }

/** Small letters without accents, and digits. `person_name_part` of migration 0051 does the same, step by step. */
function plainWords(text: string): string[] {
  const plain = text
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’‘ʼ´`]/g, '')
    .replaceAll('ª', 'a')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(/\b(?:2nd|3rd|4th)\b/g, (ordinal) => ordinals[ordinal] ?? ordinal)
  return spelledOut(plain).split(' ').filter(Boolean)
}

function wordsOf(text: string): string[] {
  const words = particles.reduce((all, particle) => all.replace(particle, '$1'), plainWords(text).join(' '))
  return words.split(' ').filter(Boolean)
}

const isInitial = (word: string) => /^[a-z]$/.test(word)
const isExtension = (word: string) => Object.hasOwn(extensions, word)

/** Initials and extensions count only where there is nothing else. */
function namedOf(words: string[]): string[] {
  const named = words.filter((word) => !isInitial(word) && !isExtension(word))
  return named.length > 0 ? named : words
}

// ASCII and general punctuation.
const signs = /[\t\n\r\u0020-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]/g

/** The letters of a name in another script. */
function otherLetters(text: string): string[] {
  const letters = text.normalize('NFC').replace(signs, '')
  return letters === '' ? [] : [letters]
}

/** What people with one name write for the other, in plain words. */
const noNames = new Set(['n a', 'none', 'nil', 'null', 'wala', 'not applicable'])

/**
 * Two names with the same key are one, whichever of their parts was taken for the last name; '' without a letter. Migration
 * 0051 keeps the same keys of records and rows.
 */
export function nameKey({ lastName, firstName }: Pick<WrittenName, 'lastName' | 'firstName'>): string {
  const parts = [lastName, firstName].map((part) => {
    const words = plainWords(part)
    if (noNames.has(words.join(' '))) return ''
    return (words.length > 0 ? namedOf(words) : otherLetters(part)).join('')
  })
  return [...new Set(parts)].filter(Boolean).sort().join(' ')
}

/** How a word of a search may stand in a name: as it is, and in full, "Sta." as Santa. */
export function spellingsOf(word: string): string[] {
  return [...new Set([word, spelledOut(word)])]
}

/** "Jr." of JUNIOR, "II" of 2nd: as a record has it; null for what is none. */
export function writtenExtension(text: string): string | null {
  const [word = '', ...others] = plainWords(text)
  if (others.length > 0) return null
  return extensions[word] ?? (/^(?:[ivx]|vi{1,3}|ix)$/.test(word) ? word.toUpperCase() : null)
}

const isInitialWord = (word: string) => /^\p{L}\.?$/u.test(word)
const isFullWord = (word = '') => /^\p{L}{2}/u.test(word)

/** Where the middle initial of "Juan P. Dela Cruz" stands; "y" is a part of a last name. */
function initialAt(words: readonly string[]): number {
  return words.findLastIndex(
    (word, at) =>
      isInitialWord(word) &&
      word.toLowerCase() !== 'y' &&
      isFullWord(words[at + 1]) &&
      words.slice(0, at).some(isFullWord),
  )
}

const wordsIn = (text: string) => text.split(/\s+/).filter(Boolean)

/**
 * "DELA CRUZ, Juan P., Jr." and "Dela Cruz, Juan, Santos" in their parts; null where neither a comma nor an initial says which is
 * the last name.
 */
export function splitFullName(text: string): Omit<WrittenName, 'fullName'> | null {
  const [before = '', ...behind] = text.split(',').map((part) => part.trim())
  const parts = behind.filter((part) => part !== '' && !isSuffix(part))
  const words = wordsIn(before).filter((word) => !isSuffix(word))
  const at = parts.length === 0 ? initialAt(words) : -1
  const family = at > 0 ? words.slice(at + 1) : words
  const [first = '', ...middle] = at > 0 ? [words.slice(0, at + 1).join(' ')] : parts
  const given = wordsIn(first).filter((word) => !isSuffix(word))
  if (family.length === 0 || given.length === 0) return null
  const isLastInitial = middle.length === 0 && given.length > 1 && isInitialWord(given.at(-1) ?? '')
  const middleName = isLastInitial ? (given.pop() ?? '') : middle.join(' ')
  return {
    lastName: family.join(' '),
    firstName: given.join(' '),
    middleName,
    extensionName: wordsIn(text.replaceAll(',', ' ')).filter(isSuffix).join(' '),
  }
}

function isSuffix(text: string): boolean {
  const words = plainWords(text)
  return words.length > 0 && words.every(isExtension)
}

export function comparedName(written: WrittenName): ComparedName {
  const { lastName, firstName, middleName, extensionName, fullName } = written
  const parts = lastName === '' && firstName === '' ? splitFullName(fullName) : null
  if (parts) return comparedName({ ...parts, fullName: '' })
  const isLoose = lastName === '' && firstName === ''
  const whole = isLoose ? fullName : firstName
  const given = wordsOf(whole)
  const family = wordsOf(lastName)
  const last = family.length > 0 ? namedOf(family) : otherLetters(lastName)
  const first = given.length > 0 ? namedOf(given) : otherLetters(whole)
  const middle = wordsOf(middleName).join('') || (given.filter(isInitial).at(-1) ?? '')
  const inName = [...family, ...given].find(isExtension)
  const readings = isLoose
    ? [
        { last: first.slice(-1), first: first.slice(0, -1) },
        { last: first.slice(0, 1), first: first.slice(1) },
      ]
    : [
        { last, first },
        { last: first, first: last },
      ]
  return {
    last,
    first,
    middle,
    extension: writtenExtension(extensionName) ?? extensions[inName ?? ''] ?? '',
    readings,
    keys: [
      ...keysOf(last, first, isInitial(middle) ? '' : middle),
      ...(isLoose ? [] : [nameKey({ lastName, firstName })]),
    ].filter(Boolean),
  }
}

/** Two names with a key in common are one: in either order, with or without the middle name. */
function keysOf(last: readonly string[], first: readonly string[], middle: string): string[] {
  const [family, given] = [last.join(''), first.join('')]
  // People with one name.
  if (given === '' || family === '') return [family + given].filter(Boolean)
  const keys = [family + given, given + family, family + [...first].sort().join('')]
  if (middle !== '') keys.push(family + given + middle, given + middle + family)
  return [...new Set(keys)]
}

/** Whether a typing error, or a name left out, may be all that is between them. */
export function areAlike(one: ComparedName, other: ComparedName): boolean {
  return one.readings.some(
    (reading) => areNear(reading.last, other.last) && areNearGiven(reading.first, other.first),
  )
}

function areNearGiven(one: readonly string[], other: readonly string[]): boolean {
  return areNear(one, other) || (one[0] !== undefined && one[0] === other[0])
}

function areNear(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return false
  if (isNear(one.join(''), other.join(''))) return true
  const [fewer, more] = one.length < other.length ? [one, other] : [other, one]
  return fewer.length < more.length && fewer.every((word) => more.some((wanted) => isNear(word, wanted)))
}

function isNear(one: string, other: string): boolean {
  if (one === other) return true
  const shortest = Math.min(one.length, other.length)
  if (shortest < 3 || Math.abs(one.length - other.length) > 2) return false
  const most = shortest < 5 ? 1 : 2
  return isSwapped(one, other) || editDistance(one, other, most) <= most
}

const isSwapped = (one: string, other: string) =>
  one.length === other.length && [...one].sort().join('') === [...other].sort().join('')
