import type { Random } from './random.ts'

/** A height as students write it: feet and inches mostly, centimetres, or nothing. */
export function generateHeight(random: Random, sex: string): string {
  const mean = sex === 'Male' ? 165 : 153
  const centimetres = Math.round(mean + spread(random) * 14)
  const totalInches = Math.round(centimetres / 2.54)
  const feet = Math.floor(totalInches / 12)
  const inches = totalInches % 12
  return random.weigh([
    [`${feet}'${inches}"`, 34],
    [`${feet}'${inches}`, 18],
    [`${feet}’${inches}”`, 4],
    [`${feet} ft ${inches} in`, 4],
    [`${feet}ft ${inches}in`, 3],
    [`${centimetres}cm`, 9],
    [`${centimetres} cm`, 10],
    [`${(centimetres / 100).toFixed(2)} m`, 3],
    [String(centimetres), 5],
    // Feet with a decimal point: nobody can tell tenths from inches.
    [`${feet}.${inches}`, 3],
    ['', 7],
  ])
}

/** A weight as students write it. */
export function generateWeight(random: Random, sex: string): string {
  const mean = sex === 'Male' ? 61 : 51
  const kilograms = Math.round(mean + spread(random) * 20)
  const pounds = Math.round(kilograms / 0.45359237)
  return random.weigh([
    [`${pounds} lbs`, 26],
    [`${pounds}lbs`, 10],
    [`${kilograms}kg`, 14],
    [`${kilograms} kg`, 14],
    [`${kilograms} kgs`, 5],
    [`${kilograms} kilos`, 3],
    [`${kilograms}.5 kg`, 2],
    [String(kilograms), 12],
    // Pounds or kilograms: the reader has to guess.
    [String(pounds), 4],
    ['', 10],
  ])
}

/** From -1 to 1, mostly near 0. */
function spread(random: Random): number {
  return (random.next() + random.next() + random.next()) / 1.5 - 1
}
