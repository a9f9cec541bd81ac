import { describe, expect, test } from 'vitest'
import { processorMs } from '#tests/setup/processor-time.ts'
import { leastBits, passwordBits } from './password-strength.ts'

const own = ['coordinator@school.example', 'Bagong Silang State College']
const isGuessable = (password: string) => passwordBits(password, own) < leastBits

describe('is easy to guess', () => {
  test.each([
    ['a common password, twice', 'passwordpassword'],
    ['a common password with decorations', 'Password123456!'],
    ['a common password with signs for letters', 'P@55w0rd12345678'],
    ['a name of many with a year', 'jennifer20262026'],
    ['three common words', 'sunshinedragonmonkey'],
    ['one letter', 'aaaaaaaaaaaaaaaaaaaa'],
    ['one letter, very often', 'a'.repeat(1000)],
    ['a few letters over and over', 'abcabcabcabcabcabc'],
    ['a phrase over and over', 'mangga'.repeat(40)],
    ['digits in a row', '123456789012345'],
    ['digits in a row, backwards', '987654321098765'],
    ['rows of keys', 'qwertyuiopasdfghjkl'],
    ['columns of keys', '1qaz2wsx3edc4rfv'],
    ['words of this system', 'nstp-portal-administrator'],
    ["the program's name", 'NationalServiceTrainingProgram2026'],
    ['the e-mail address', 'coordinator@school.example'],
    ["the school's name", 'BagongSilangStateCollege'],
    ['the school and a year', 'bagong silang 2026!!'],
    ['ganda', 'mahalkitamahalkita'],
    ['nothing', ''],
  ])('%s', (_, password) => {
    expect(isGuessable(password)).toBe(true)
  })
})

describe('is hard to guess', () => {
  test.each([
    ['a sentence', 'my tricycle broke down in Marikina'],
    ['a sentence in Filipino', 'may tatlong pusa sa bubong ni Lola'],
    ['five words that have nothing to do with each other', 'karton bituin palaka tsinelas ulan'],
    ['what a password manager makes', 'vK7#qPz2!mXw9_Rt'],
    ['what this product makes', 'h7mp-x3tr-9wqd-b4fz'],
  ])('%s', (_, password) => {
    expect(isGuessable(password)).toBe(false)
  })
})

test('more of the same kind is never easier', () => {
  const words = ['tsinelas', 'bituin', 'palaka', 'karton', 'ulan']
  const bits = words.map((_, i) => passwordBits(words.slice(0, i + 1).join(' ')))
  expect(bits).toEqual(bits.toSorted((a, b) => a - b))
})

test('rating the longest password is fast', async () => {
  const longest = Array.from({ length: 1000 }, (_, i) => String.fromCharCode(97 + ((i * 7) % 26))).join('')
  expect(await processorMs(() => passwordBits(longest, own))).toBeLessThan(250)
})
