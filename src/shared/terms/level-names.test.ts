import { expect, test } from 'vitest'
import { defaultLevelNames, levelName } from './level-names.ts'

test('a level has the name of its component; of all components, each name once', () => {
  const names = { ...defaultLevelNames, ROTC: { first: 'MS-1', second: 'MS-2' } }
  expect(levelName(names, 'ROTC', 2)).toBe('MS-2')
  expect(levelName(names, 'CWTS', 2)).toBe('NSTP 2')
  expect(levelName(names, null, 1)).toBe('MS-1 or NSTP 1')
  expect(levelName(defaultLevelNames, null, 1)).toBe('NSTP 1')
})
