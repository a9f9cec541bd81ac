import { expect, test } from 'vitest'
import { hasHeading, readPastedBlock } from './pasted-block.ts'

const cell = (state: string, minutes: number | null = null) => ({ state, minutes })

test.each([
  ['P', [[cell('present')]]],
  [
    'P\tL\r\nA\tE\r\n',
    [
      [cell('present'), cell('late')],
      [cell('absent'), cell('excused')],
    ],
  ],
  [
    ' p \tlate\n\tAbsent',
    [
      [cell('present'), cell('late')],
      [null, cell('absent')],
    ],
  ],
  ['L15\tl 5\tL600', [[cell('late', 15), cell('late', 5), cell('late', 600)]]],
  ['L0\tL601\tP15\t✓\t1\tX', [[undefined, undefined, undefined, undefined, undefined, undefined]]],
  [
    '"P\r\nill"\tL\r\nA\tE\r\n',
    [
      [undefined, cell('late')],
      [cell('absent'), cell('excused')],
    ],
  ],
  ['P\n\nA', [[cell('present')], [null], [cell('absent')]]],
])('%j', (text, expected) => {
  expect(readPastedBlock(text)).toEqual(expected)
})

test('a first line that can’t be read is a heading', () => {
  const isHeading = (text: string) => hasHeading(readPastedBlock(text))
  expect(isHeading('Sat 10/24\tSat 10/31\r\nP\tA\r\n')).toBe(true)
  expect(isHeading('x\tP\r\nP\tA')).toBe(false)
  expect(isHeading('\t\r\nP\tA')).toBe(false)
  expect(isHeading('x')).toBe(false)
})
