import { expect, test } from 'vitest'
import { readPastedRows } from './pasted-rows.ts'

test.each([
  [
    '1\t2\r\n3\t4\r\n',
    [
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  ['1\r2', [['1'], ['2']]],
  [
    '1\t\n\t2\t',
    [
      ['1', ''],
      ['', '2', ''],
    ],
  ],
  ['1\n\n2\n', [['1'], [''], ['2']]],
  [
    '"two\r\nlines"\t1\n2\t3\n',
    [
      ['two\nlines', '1'],
      ['2', '3'],
    ],
  ],
  ['"a\tb"\n"said ""here""\n"\n', [['a\tb'], ['said "here"\n']]],
  ['5"\n"6\n7\n', [['5"'], ['"6'], ['7']]],
  ['""\t1', [['', '1']]],
  ['"7" of 9\t1\n', [['"7" of 9', '1']]],
  ['', [['']]],
])('%j', (text, expected) => {
  expect(readPastedRows(text)).toEqual(expected)
})
