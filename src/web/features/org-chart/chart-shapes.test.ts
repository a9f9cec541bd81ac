import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { wrapText } from './chart-shapes.ts'

const widthOf = (text: string) => [...text].length

test.each([
  ['Maria Clara Santos', 12, ['Maria Clara', 'Santos']],
  ['Maria', 12, ['Maria']],
  ['Commandant of the Corps', 10, ['Commandant', 'of the', 'Corps']],
  ['Wolfeschlegelsteinhausen Jr.', 10, ['Wolfeschle', 'gelsteinha', 'usen Jr.']],
  ['Villanueva-Rodriguez Uy', 12, ['Villanueva-', 'Rodriguez Uy']],
  ['-', 10, ['-']],
  ['', 10, []],
])('%j within %i letters', (text, width, lines) => {
  expect(wrapText(text, width, widthOf)).toEqual(lines)
})

test('no line is too wide and no letter is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, width) => {
      const lines = wrapText(text, width, widthOf)
      expect(lines.every((line) => widthOf(line) <= width)).toBe(true)
      expect(lines.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
    }),
  )
})
