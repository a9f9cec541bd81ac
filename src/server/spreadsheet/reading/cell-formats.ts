import { attribute, type XmlListener } from './xml-scanner.ts'

/** Formats that every program has and that show a date (ECMA-376, 18.8.30, with the East Asian ones). */
const builtInDates = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36])
for (let id = 50; id <= 58; id++) builtInDates.add(id)

/** Whether a number with this format code is shown as a date. A time of day alone is none. */
export function isDateFormat(code: string): boolean {
  const bare = code.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '').toLowerCase()
  return /[yd]/.test(bare) && !/general/.test(bare)
}

/** Learns from styles.xml which cell styles show dates: `dateStyles.has(index)`. */
export function createStylesListener(): XmlListener & { dateStyles: ReadonlySet<number> } {
  const codes = new Map<number, string>()
  const dateStyles = new Set<number>()
  let isInCells = false
  let index = 0
  return {
    dateStyles,
    open(name, attributes) {
      if (name === 'cellXfs') isInCells = true
      else if (name === 'numFmt') {
        codes.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode') ?? '')
      } else if (name === 'xf' && isInCells) {
        const id = Number(attribute(attributes, 'numFmtId'))
        const code = codes.get(id)
        if (code === undefined ? builtInDates.has(id) : isDateFormat(code)) dateStyles.add(index)
        index += 1
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false
    },
  }
}
