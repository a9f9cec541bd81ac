import { describe, expect, test } from 'vitest'
import { comparedName, nameKey, spellingsOf, splitFullName, writtenExtension } from './person-names.ts'

const keyOf = (name: string) => {
  const [lastName = '', firstName = ''] = name.split(', ')
  return nameKey({ lastName, firstName })
}

describe('the key of a name', () => {
  test.each([
    ['Dela Rosa, Ma. Luz', 'De la Rosa, Maria Luz'],
    ['Dela Rosa, Ma. Luz', 'DELA ROSA, MA LUZ'],
    ['Dela Rosa, Ma. Luz', 'Delarosa, Ma.Luz'],
    ['De los Santos, Ana', 'Delos Santos, Ana'],
    ['San Jose, Ben', 'Sanjose, Ben'],
    ['Sta. Ana, Rey', 'Santa Ana, Rey'],
    ['Sto. Tomas, Rey', 'Santo Tomas, Rey'],
    ['Sto Domingo, Rey', 'STO. DOMINGO, REY'],
    ['Peña, José', 'Pena, Jose'],
    ['Pen\u0303a, Jose', 'PEÑA, JOSÉ'],
    ["D'Souza, Al", 'D’Souza, Al'],
    ["D'Souza, Al", 'DSouza, Al'],
    ['Santos-Reyes, Mary-Ann', 'Santos Reyes, Maryann'],
    ['Cruz Jr., Juan', 'Cruz, Juan'],
    ['Cruz, Juan III', 'Cruz, Juan'],
    ['Cruz, Juan 2nd', 'Cruz, Juan II'],
    ['Cruz, Juan P.', 'Cruz, Juan'],
    ['Juan, Cruz', 'Cruz, Juan'],
    ['Suharto, -', '-, Suharto'],
    ['Suharto, .', 'Suharto, Suharto'],
    ['Suharto, N/A', 'Suharto, -'],
    ['O’Brien, Al', 'O‘Brien, Al'],
    ['Reyes, Mª Luz', 'Reyes, Ma. Luz'],
    ['MacArthur, Doug', 'Mac Arthur, Doug'],
    ['王, 小明', '小明, 王'],
  ])('is one of %s and %s', (one, other) => {
    expect(keyOf(one)).not.toBe('')
    expect(keyOf(one)).toBe(keyOf(other))
  })

  test.each([
    ['Cruz, Maria', 'Cruz, Mario'],
    ['Santos, Ana', 'Santo, Ana'],
    ['Sta. Ana, Rey', 'Ana, Rey'],
    ['Reyes, Ma. Luz', 'Reyes, Luz'],
    ['Reyes, Marialuz', 'Reyes, Luzmaria'],
    ['王, 小明', '李, 小明'],
    ['V, Ana', 'I, Ana'],
    ['Dela Cruz, Juan', 'Cruz, Juan'],
    ['Cruz, Junior', 'Cruz, Senior'],
    ['Cruz, Jose', 'Cruz, Joseph'],
  ])('is another of %s and %s', (one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other))
  })
})

test.each([
  ['jr', 'Jr.'],
  ['JR.', 'Jr.'],
  ['Junior', 'Jr.'],
  ['sr.', 'Sr.'],
  ['2nd', 'II'],
  ['iii', 'III'],
  ['3RD', 'III'],
  ['iv.', 'IV'],
  ['V', 'V'],
  ['viii', 'VIII'],
  ['Jr. III', null],
  ['Ana', null],
  ['-', null],
])('the extension %s is %s in a record', (text, written) => {
  expect(writtenExtension(text)).toBe(written)
})

test.each([
  ['DELA CRUZ, JUAN P.', ['DELA CRUZ', 'JUAN', 'P.', '']],
  ['Abad, Ana', ['Abad', 'Ana', '', '']],
  ['Santos, Jose Maria R., Jr.', ['Santos', 'Jose Maria', 'R.', 'Jr.']],
  ['Santos Jr., Jose R.', ['Santos', 'Jose', 'R.', 'Jr.']],
  ['De la Rosa , Ma. Luz', ['De la Rosa', 'Ma. Luz', '', '']],
  ['Peña,Ana', ['Peña', 'Ana', '', '']],
  ['Cruz, Juan III', ['Cruz', 'Juan', '', 'III']],
  ['Dela Cruz, Juan, Santos', ['Dela Cruz', 'Juan', 'Santos', '']],
  ['Dela Cruz, Juan, Jr., Santos', ['Dela Cruz', 'Juan', 'Santos', 'Jr.']],
  ['Cruz, , Juan', ['Cruz', 'Juan', '', '']],
  ['Juan P. Dela Cruz', ['Dela Cruz', 'Juan', 'P.', '']],
  ['MARIA LUZ S. STA. ANA', ['STA. ANA', 'MARIA LUZ', 'S.', '']],
  ['Jose R Santos Jr.', ['Santos', 'Jose', 'R', 'Jr.']],
])('%s has its parts where a comma or an initial tells them', (text, parts) => {
  const split = splitFullName(text)
  expect(split && [split.lastName, split.firstName, split.middleName, split.extensionName]).toEqual(parts)
})

test.each([
  'Juan Dela Cruz',
  'DELA CRUZ JUAN P.',
  'Suharto',
  'Cruz,',
  ', Juan',
  'J. Cruz',
  'Ortega y Gasset',
])('%s has no parts that anybody could tell', (text) => {
  expect(splitFullName(text)).toBeNull()
})

test('a name of one part is compared as one', () => {
  const nobody = { middleName: '', extensionName: '', fullName: '' }
  expect(comparedName({ ...nobody, lastName: 'Suharto', firstName: '-' }).keys).toContain('suharto')
  expect(comparedName({ ...nobody, lastName: '', firstName: '', fullName: 'SUHARTO' }).keys).toEqual([
    'suharto',
  ])
})

test.each([
  ['Ma.', ['Ma.', 'maria.']],
  ['sta', ['sta', 'santa']],
  ['Junior', ['Junior']],
  ['Jr.', ['Jr.']],
  ['Maria', ['Maria']],
])('a search for %s looks for %j', (word, spellings) => {
  expect(spellingsOf(word)).toEqual(spellings)
})
