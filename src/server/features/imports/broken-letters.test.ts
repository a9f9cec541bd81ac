import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repairedText } from './broken-letters.ts'

test.each([
  ['PeÃ±a', 'Peña'],
  ['PEÃ‘A', 'PEÑA'],
  ['PeÃƒÂ±a', 'Peña'],
  ['JosÃ©', 'José'],
  ['DasmariÃ±as, Cavite', 'Dasmariñas, Cavite'],
  ['MuÃ±oz, AÃ±o', 'Muñoz, Año'],
  ['Pe¤a', 'Peña'],
  ['PE¥A', 'PEÑA'],
  ['NUÃ\u0091EZ', 'NUÑEZ'],
  ['Niâ€™o', 'Ni’o'],
  ['Pe├▒a', 'Peña'],
  ['NU├æEZ', 'NUÑEZ'],
  ['Pe&ntilde;a', 'Peña'],
  ['MU&Ntilde;OZ', 'MUÑOZ'],
  ['Jos&eacute;', 'José'],
  ['Pe&#241;a', 'Peña'],
  ['Peï¿½a', 'Pe\ufffda'],
  ['Cruz & Sons', 'Cruz & Sons'],
  ['&#9;', '&#9;'],
  ['Peña', 'Peña'],
  ['Â', 'Â'],
  ['João Ã', 'João Ã'],
  ['¥ 500', '¥ 500'],
])('%s is %s', (broken, text) => {
  expect(repairedText(broken)).toBe(text)
})

test('any text without broken letters stays', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aeñÑéü -.,0123') }), (text) => {
      expect(repairedText(text)).toBe(text)
    }),
  )
})
