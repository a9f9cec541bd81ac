import { describe, expect, test } from 'vitest'
import { heightInCentimetres, weightInKilograms } from './measures.ts'

describe('a height is read when it can mean one thing', () => {
  test.each([
    [`5'6"`, 168],
    [`5'6`, 168],
    [`5’6”`, 168],
    [`5′ 6″`, 168],
    [`5'6''`, 168],
    ['5`6', 168],
    [`5' 6 "`, 168],
    [`5'-6"`, 168],
    [`5'11.5"`, 182],
    [`5'0"`, 152],
    [`5'`, 152],
    ['5 ft', 152],
    ['5 ft 6 in', 168],
    ['5ft 6in', 168],
    ['5ft6', 168],
    ['5 ft. 6 in.', 168],
    ['5ft.6in.', 168],
    ['5 feet 6 inches', 168],
    ['5 FEET AND 6 INCHES', 168],
    ['4 foot 11', 150],
    ['66 in', 168],
    ['66"', 168],
    ['66 inches', 168],
    ['170cm', 170],
    ['170 cm', 170],
    ['170 CM.', 170],
    ['170.5 cm', 170.5],
    ['170 centimeters', 170],
    ['1.70 m', 170],
    ['1.70m', 170],
    ['1,70 m', 170],
    ['1.675 meters', 167.5],
    ['1m 70cm', 170],
    ['1m70', 170],
    ['1.7', 170],
    ['1.58', 158],
    ['170', 170],
    ['162.5', 162.5],
    ['  170  ', 170],
  ])('%s is %d cm', (text, expected) => {
    expect(heightInCentimetres(text)).toBe(expected)
  })

  test.each([
    ['', 'nothing is written'],
    ['5.6', 'tenths of a foot or inches'],
    ['5.6 ft', 'tenths of a foot or inches'],
    ['5,6', 'tenths of a foot or inches'],
    ['5 6', 'no unit at all'],
    ['5', 'feet or a slip'],
    ['66', 'inches or a slip'],
    ['56', '5 feet 6 without its mark, or a slip'],
    [`5'13"`, 'a foot has twelve inches'],
    [`5'6" or 5'7"`, 'two heights'],
    [`170 cm (5'7")`, 'two units'],
    ['about 170', 'words'],
    ['17 cm', 'no height of a person'],
    ['3 m', 'no height of a person'],
    ['1700 cm', 'no height of a person'],
    ['-170', 'no height of a person'],
    ['N/A', 'not a number'],
  ])('%s stays as written: %s', (text) => {
    expect(heightInCentimetres(text)).toBeUndefined()
  })
})

describe('a weight is read when it can mean one thing', () => {
  test.each([
    ['130 lbs', 59],
    ['130lbs', 59],
    ['130 lbs.', 59],
    ['130 LBS', 59],
    ['130lb', 59],
    ['130 pounds', 59],
    ['121.5 lbs', 55],
    ['59kg', 59],
    ['59 kg', 59],
    ['59 kg.', 59],
    ['59 Kgs', 59],
    ['59 kilos', 59],
    ['59 kilograms', 59],
    ['59.5 kg', 59.5],
    ['59,5 kg', 59.5],
    ['60', 60],
    ['48.5', 48.5],
    ['76', 76],
  ])('%s is %d kg', (text, expected) => {
    expect(weightInKilograms(text)).toBe(expected)
  })

  test.each([
    ['', 'nothing is written'],
    ['130', 'pounds or kilograms'],
    ['77', 'pounds or kilograms'],
    ['90', 'pounds or kilograms'],
    ['210', 'pounds or kilograms'],
    ['12', 'no weight of a student'],
    ['59 kg / 130 lbs', 'two units'],
    ['50-55 kg', 'a range'],
    ['5 kg', 'no weight of a student'],
    ['900 lbs', 'no weight of a person'],
    ['heavy', 'not a number'],
  ])('%s stays as written: %s', (text) => {
    expect(weightInKilograms(text)).toBeUndefined()
  })
})
