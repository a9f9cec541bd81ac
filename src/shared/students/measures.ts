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

// What a text's numbers mean by its pattern; undefined where that is unclear.
type Reading = readonly [RegExp, (first: number, second: number) => number | undefined]

const number = String.raw`(\d{1,3}(?:\.\d{1,3})?)`
const bareNumber = new RegExp(`^${number}$`)
const feetMark = "(?:'|ft|feet|foot)"
const inchesMark = '(?:"|in|ins|inch|inches)'

const heights: readonly Reading[] = [
  [new RegExp(`^${number} ?(?:cm|cms|centimeters?|centimetres?)$`), (value) => value],
  [new RegExp(`^${number} ?(?:m|mtrs?|meters?|metres?)$`), (value) => toMillimetre(value * 100)],
  [/^(\d) ?m(?:eters?|etres?)? ?(\d{1,2}) ?(?:cm|cms)?$/, (metres, rest) => metres * 100 + rest],
  [new RegExp(`^${number} ?${inchesMark}$`), (value) => Math.round(value * centimetresPerInch)],
  [
    // Whole feet only: in "5.6 ft" the 6 may be tenths or inches.
    new RegExp(`^(\\d) ?${feetMark}(?: ?(?:and )?(\\d{1,2}(?:\\.\\d)?) ?${inchesMark}?)?$`),
    // 5'13" is a typing error that can't be resolved.
    (feet, rest) => (rest < 12 ? Math.round((feet * 12 + rest) * centimetresPerInch) : undefined),
  ],
  [
    bareNumber,
    (value) => {
      if (isWithin(bareCentimetres, value)) return value
      return isWithin(bareMetres, value) ? toMillimetre(value * 100) : undefined
    },
  ],
]

const weights: readonly Reading[] = [
  [new RegExp(`^${number} ?(?:kg|kgs|kilo|kilos|kilograms?)$`), (value) => value],
  [new RegExp(`^${number} ?(?:lb|lbs|pounds?)$`), (value) => Math.round(value * kilogramsPerPound)],
  [bareNumber, (value) => (isWithin(bareKilograms, value) ? value : undefined)],
]

/** cm */
export function heightInCentimetres(text: string): number | undefined {
  return read(text, heights, heightLimits)
}

/** kg */
export function weightInKilograms(text: string): number | undefined {
  return read(text, weights, weightLimits)
}

function read(text: string, readings: readonly Reading[], limits: Limits): number | undefined {
  const normalized = normalize(text)
  for (const [pattern, meaning] of readings) {
    const match = pattern.exec(normalized)
    if (!match) continue
    const value = meaning(Number(match[1]), Number(match[2] ?? 0))
    return value !== undefined && isWithin(limits, value) ? value : undefined
  }
  return undefined
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

function isWithin({ min, max }: Limits, value: number): boolean {
  return value >= min && value <= max
}

function toMillimetre(centimetreValue: number): number {
  return Math.round(centimetreValue * 10) / 10
}
