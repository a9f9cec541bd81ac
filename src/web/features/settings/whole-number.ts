/** Digits, also in groups as people write large numbers: 1,000. */
const wholeNumber = /^(\d+|\d{1,3}(,\d{3})+)$/

/** The whole number that was typed; NaN for anything else, which no rule of a setting accepts. */
export function readWholeNumber(typed: string): number {
  const text = typed.trim()
  return wholeNumber.test(text) ? Number(text.replaceAll(',', '')) : Number.NaN
}
