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

const extensions: Readonly<Record<string, string>> = {
  jr: 'jr',
  junior: 'jr',
  sr: 'sr',
  senior: 'sr',
  ii: 'ii',
  iii: 'iii',
  iv: 'iv',
}
const abbreviated: Readonly<Record<string, string>> = { ma: 'maria', sta: 'santa', sto: 'santo' }
// What belongs to the word behind it: "De la Cruz", "Dela Cruz" and "Delacruz" are one name.
const particles = /\b(?:de las?|de los|delas?|delos|del|de|da|san|santa|santo|mac|mc) (?=[a-z]{2})/g

function wordsOf(text: string): string[] {
  if (text === '') return []
  const plain = text
    .normalize('NFD')
    .replace(/\p{M}|['’`]/gu, '')
    .toLowerCase()
    .replace(/\b2nd\b/g, 'ii')
    .replace(/\b3rd\b/g, 'iii')
    .replace(/[^a-z]+/g, ' ')
    .trim()
  const words = plain === '' ? [] : plain.split(' ')
  const whole = words.map((word) => abbreviated[word] ?? word).join(' ')
  return whole
    .replace(particles, (particle) => particle.replaceAll(' ', ''))
    .split(' ')
    .filter(Boolean)
}

const isInitial = (word: string) => word.length === 1
const isExtension = (word: string) => word in extensions

/** "DELA CRUZ, Juan P., Jr." in its parts; null where no comma says which is the last name. */
export function splitFullName(text: string): Omit<WrittenName, 'fullName'> | null {
  const [last = '', ...rest] = text.split(',').map((part) => part.trim())
  if (last === '' || rest.every((part) => part === '')) return null
  const words = [
    ...last.split(/\s+/).map((word) => ({ word, isLast: true })),
    ...rest
      .join(' ')
      .split(/\s+/)
      .map((word) => ({ word, isLast: false })),
  ]
  const isSuffix = ({ word }: { word: string }) => wordsOf(word).some(isExtension)
  const named = words.filter((one) => !isSuffix(one))
  const given = named.filter(({ isLast }) => !isLast).map(({ word }) => word)
  const isMiddle = given.length > 1 && /^\p{L}\.?$/u.test(given.at(-1) ?? '')
  const middleName = isMiddle ? (given.pop() ?? '') : ''
  return {
    lastName: named
      .filter(({ isLast }) => isLast)
      .map(({ word }) => word)
      .join(' '),
    firstName: given.join(' '),
    middleName,
    extensionName: words
      .filter(isSuffix)
      .map(({ word }) => word)
      .join(' '),
  }
}

export function comparedName(written: WrittenName): ComparedName {
  const { lastName, firstName, middleName, extensionName, fullName } = written
  const parts = lastName === '' && firstName === '' ? splitFullName(fullName) : null
  if (parts) return comparedName({ ...parts, fullName: '' })
  const isLoose = lastName === '' && firstName === ''
  const given = wordsOf(isLoose ? fullName : firstName)
  const family = wordsOf(lastName)
  const plain = (words: string[]) => words.filter((word) => !isInitial(word) && !isExtension(word))
  const [last, first] = [plain(family), plain(given)]
  const middle = wordsOf(middleName).join('') || (given.filter(isInitial).at(-1) ?? '')
  // A single letter behind a first name is an initial.
  const suffix =
    wordsOf(extensionName).find((word) => isExtension(word) || /^(i|v|vi)$/.test(word)) ??
    [...family, ...given].find(isExtension)
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
    extension: suffix === undefined ? '' : (extensions[suffix] ?? suffix),
    readings,
    keys: keysOf(last, first, isInitial(middle) ? '' : middle),
  }
}

/** Two names with a key in common are one: in either order, with or without the middle name. */
function keysOf(last: readonly string[], first: readonly string[], middle: string): string[] {
  const [family, given] = [last.join(''), first.join('')]
  if (given === '') return []
  if (family === '') return [given]
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
