import { format, getFormatFromId, isValidFormat } from 'numfmt'

/**
 * What a number format writes. A date is ISO, so that nobody has to guess its order; a general or scientific number is
 * whole, because its exponent would lose digits of a student ID.
 */
export type CellFormat =
  | { kind: 'plain' }
  | { kind: 'date' }
  | { kind: 'time' }
  // `code` of numbers; `textCode` of texts, null where it leaves them alone.
  | { kind: 'written'; code: string; textCode: string | null }

export const plainFormat: CellFormat = { kind: 'plain' }

// Excel's own limit.
const longestCode = 255

// Built-in date formats (ECMA-376, 18.8.30, with the East Asian ones).
const builtInDates = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36])
for (let id = 50; id <= 58; id++) builtInDates.add(id)

export function formatOf(id: number, ownCode: string | undefined): CellFormat {
  if (ownCode === undefined && builtInDates.has(id)) return { kind: 'date' }
  const code = ownCode ?? getFormatFromId(id) ?? 'General'
  if (code.length > longestCode || !isValidFormat(code)) return plainFormat
  const bare = code.replace(/"[^"]*"|\\.|_.|\*.|\[[^[\]]*\]/g, '').toLowerCase()
  const isGeneral = bare.includes('general')
  if (!isGeneral && /[yd]/.test(bare)) return { kind: 'date' }
  // An elapsed time may have more than 24 hours.
  if (!isGeneral && /[hs]/.test(bare) && !/\[[hms]+\]/i.test(code)) return { kind: 'time' }
  const isScientific = /[0#?]e[+-]/.test(bare)
  if (isScientific || /^(general|@|)$/i.test(code)) return plainFormat
  return { kind: 'written', code, textCode: bare.includes('@') ? code : null }
}

const dayMs = 24 * 60 * 60 * 1000
// The day before 1 January 1900, less the 29 February 1900 that spreadsheets invented.
const epoch = Date.UTC(1899, 11, 30)
const epoch1904 = Date.UTC(1904, 0, 1)
// 31 December 9999, the last day of a spreadsheet's calendar.
const lastSerial = 2_958_465

/** '' for what is no number. */
export function numberText(value: string, cellFormat: CellFormat, counts1904: boolean): string {
  const number = Number(value)
  if (value === '' || Number.isNaN(number)) return ''
  switch (cellFormat.kind) {
    case 'date':
      if (number >= 1 && number <= lastSerial) return dateText(number, counts1904)
      return number > 0 && number < 1 ? timeText(number) : plainText(number)
    case 'time':
      return number >= 0 && number <= lastSerial ? timeText(number) : plainText(number)
    case 'written':
      return written(cellFormat.code, number) ?? plainText(number)
    default:
      return plainText(number)
  }
}

/** A format may also write something before or behind a text. */
export function formattedText(text: string, cellFormat: CellFormat): string {
  if (cellFormat.kind !== 'written' || cellFormat.textCode === null || text === '') return text
  return writtenBy(cellFormat.textCode, text) ?? text
}

// 0000-00000: IDs and phone numbers, of which no two are alike. Here they take a tenth of the time.
const digitsAlone = /^[-0 ]+$/

function written(code: string, number: number): string | undefined {
  if (digitsAlone.test(code) && Number.isSafeInteger(number) && number >= 0) return filled(code, number)
  if (!/general/i.test(code)) return writtenBy(code, number)
  // Excel shortens a general number to the width of its cell.
  return writtenBy(code.replace(/general/gi, Number.isInteger(number) ? '0' : `0.${'#'.repeat(15)}`), number)
}

function filled(code: string, number: number): string {
  const places = code.replace(/[^0]/g, '').length
  const digits = String(number).padStart(places, '0')
  const more = digits.length - places
  let at = 0
  const nextDigit = () => {
    // Digits that have no place are in front of the first one.
    const from = at === 0 ? 0 : at + more
    at += 1
    return digits.slice(from, at + more)
  }
  return code.replace(/0/g, nextDigit).trim()
}

/** Undefined where the format is none, or can't write the value. */
function writtenBy(code: string, value: number | string): string | undefined {
  try {
    const text = format(code, value).trim()
    // A point without digits is there for the eye.
    return /^#+$/.test(text) ? undefined : text.replace(/(\d)\.$/, '$1')
  } catch {
    return undefined
  }
}

/** All digits, without an exponent. Spreadsheets hold fifteen of a fraction: 0.1 + 0.2 is 0.3. */
function plainText(number: number): string {
  if (Number.isInteger(number)) return Math.abs(number) < 1e21 ? String(number) : String(BigInt(number))
  const held = Number(number.toPrecision(15))
  return Math.abs(held) < 1e-6 ? held.toFixed(20).replace(/\.?0+$/, '') : String(held)
}

/** YYYY-MM-DD, followed by the time of day when there is one. */
function dateText(serial: number, counts1904: boolean): string {
  // Fractions of a day are inexact; no clock here shows less than a second.
  const milliseconds = Math.round(serial * 86_400) * 1_000
  // Before March 1900 spreadsheets are off by the day they invented.
  const base = counts1904 ? epoch1904 : serial < 60 ? epoch + dayMs : epoch
  const [date = '', time = ''] = new Date(base + milliseconds).toISOString().split('T')
  const clock = time.slice(0, 8)
  return clock === '00:00:00' ? date : `${date} ${clock}`
}

function timeText(serial: number): string {
  return new Date(Math.round((serial % 1) * 86_400) * 1_000).toISOString().slice(11, 19)
}
