import { expect, test } from 'vitest'
import { listName } from './student-texts.ts'

test('a name is last, first middle', () => {
  expect(listName({ lastName: 'Dela Cruz', firstName: 'Juan Miguel', middleName: 'Peña' })).toBe(
    'Dela Cruz, Juan Miguel Peña',
  )
  expect(listName({ lastName: 'Cruz', firstName: 'Ana', middleName: '' })).toBe('Cruz, Ana')
  const junior = { lastName: 'Cruz', firstName: 'Jose', middleName: '', extensionName: 'Jr.' }
  expect(listName(junior)).toBe('Cruz, Jose Jr.')
  expect(listName({ lastName: 'Cruz', firstName: '', middleName: '' })).toBe('Cruz')
  expect(listName({ lastName: '', firstName: '', middleName: '' })).toBe('N/A')
})
