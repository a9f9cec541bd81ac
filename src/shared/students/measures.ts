// Height and weight in cm and kg. Only unambiguous texts are converted: "5.6" or a bare "130" stay as written.

const centimetresPerInch = 2.54
const kilogramsPerPound = 0.45359237

const heightLimits = { min: 50, max: 272 }
const weightLimits = { min: 20, max: 400 }
const bareCentimetres = { min: 100, max: 230 }
const bareMetres = { min: 1.2, max: 2.3 }
// kg: below 77, pounds would mean less than 35 kg.
const bareKilograms = { min: 30, max: 76.9 }

interface Limits {
  min: number
  max: number
}

const number = String.raw`(\d{1,3}(?:\.\d{1,3})?)`
const centimetres = new RegExp(`^${number} ?(?:cm|cms|centimeters?|centimetres?)$`)
const metres = new RegExp(`^${number} ?(?:m|mtrs?|meters?|metres?)$`)
const metresAndCentimetres = /^(\d) ?m(?:eters?|etres?)? ?(\d{1,2}) ?(?:cm|cms)?$/
const feetMark = "(?:'|ft|feet|foot)"
const inchesMark = '(?:"|in|ins|inch|inches)'
// Whole feet only: in "5.6 ft" the 6 may be tenths or inches.
const feetAndInches = new RegExp(`^(\\d) ?${feetMark}(?: ?(?:and )?(\\d{1,2}(?:\\.\\d)?) ?${inchesMark}?)?$`)
const inches = new RegExp(`^${number} ?${inchesMark}$`)
const kilograms = new RegExp(`^${number} ?(?:kg|kgs|kilo|kilos|kilograms?)$`)
const pounds = new RegExp(`^${number} ?(?:lb|lbs|pounds?)$`)
const bareNumber = new RegExp(`^${number}$`)

/** cm */
export function heightInCentimetres(text: string): number | undefined {
  const height = readHeight(normalize(text))
  return height !== undefined && isWithin(heightLimits, height) ? height : undefined
}

/** kg */
export function weightInKilograms(text: string): number | undefined {
  const weight = readWeight(normalize(text))
  return weight !== undefined && isWithin(weightLimits, weight) ? weight : undefined
}

function readHeight(text: string): number | undefined {
  const whole = firstNumber(text, centimetres)
  if (whole !== undefined) return whole
  const inMetres = firstNumber(text, metres)
  if (inMetres !== undefined) return toMillimetre(inMetres * 100)
  const mixed = metresAndCentimetres.exec(text)
  if (mixed) return Number(mixed[1]) * 100 + Number(mixed[2])
  const inInches = firstNumber(text, inches)
  if (inInches !== undefined) return Math.round(inInches * centimetresPerInch)
  return readFeet(text) ?? readBareHeight(text)
}

function readFeet(text: string): number | undefined {
  const match = feetAndInches.exec(text)
  if (!match) return undefined
  const remainder = Number(match[2] ?? 0)
  // 5'13" is a typing error that can't be resolved.
  if (remainder >= 12) return undefined
  return Math.round((Number(match[1]) * 12 + remainder) * centimetresPerInch)
}

function readBareHeight(text: string): number | undefined {
  const value = firstNumber(text, bareNumber)
  if (value === undefined) return undefined
  if (isWithin(bareCentimetres, value)) return value
  return isWithin(bareMetres, value) ? toMillimetre(value * 100) : undefined
}

function readWeight(text: string): number | undefined {
  const inKilograms = firstNumber(text, kilograms)
  if (inKilograms !== undefined) return inKilograms
  const inPounds = firstNumber(text, pounds)
  if (inPounds !== undefined) return Math.round(inPounds * kilogramsPerPound)
  const value = firstNumber(text, bareNumber)
  return value !== undefined && isWithin(bareKilograms, value) ? value : undefined
}

function normalize(text: string): string {
  return (
    text
      .trim()
      .toLowerCase()
      // Two single marks are an inch mark: 5'6''.
      .replace(/[‘’′`´]/g, "'")
      .replace(/[“”″]|''/g, '"')
      .replace(/(\d),(\d)/g, '$1.$2')
      // Abbreviations: "5 ft. 6 in." and "130 lbs.", but not the point of a number.
      .replace(/\.(?!\d)/g, ' ')
      .replace(/([a-z])\.(?=\d)/g, '$1 ')
      .replace(/(\d['"])-/g, '$1')
      .replace(/\s+/g, ' ')
      .trim()
  )
}

function firstNumber(text: string, pattern: RegExp): number | undefined {
  const match = pattern.exec(text)
  return match ? Number(match[1]) : undefined
}

function isWithin({ min, max }: Limits, value: number): boolean {
  return value >= min && value <= max
}

function toMillimetre(centimetreValue: number): number {
  return Math.round(centimetreValue * 10) / 10
}
