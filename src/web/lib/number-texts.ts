const figures = new Intl.NumberFormat('en-US')

export function figureText(figure: number): string {
  return figures.format(figure)
}

export function countOf(count: number, noun: string): string {
  return `${figureText(count)} ${count === 1 ? noun : `${noun}s`}`
}

/** What is typed in a field, for a schema: an empty text is no number, and not 0. */
export const typedNumber = (text: string) => Number(text.trim() || 'none')

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const gibibyte = 1024 * mebibyte

/** 1234567 → '1.2 MB': 1024 to each step, as for upload limits. */
export function sizeText(bytes: number): string {
  if (bytes < mebibyte) return `${Math.ceil(bytes / kibibyte)} kB`
  return bytes < gibibyte ? `${(bytes / mebibyte).toFixed(1)} MB` : `${(bytes / gibibyte).toFixed(2)} GB`
}

/** Undefined until the text is long. */
export function lengthHint({ length }: string, most: number): string | undefined {
  return length > most * 0.8 ? `${figureText(length)} of ${figureText(most)} characters` : undefined
}
