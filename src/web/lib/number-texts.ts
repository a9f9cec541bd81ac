const figures = new Intl.NumberFormat('en-US')

/** 20000 → '20,000'. */
export function figureText(figure: number): string {
  return figures.format(figure)
}

/** '1 student', '2,000 students'. */
export function countOf(count: number, noun: string): string {
  return `${figureText(count)} ${count === 1 ? noun : `${noun}s`}`
}

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const gibibyte = 1024 * mebibyte

/** 1234567 → '1.2 MB': counted as the limits of uploads are, 1024 to each step. */
export function sizeText(bytes: number): string {
  if (bytes < mebibyte) return `${Math.ceil(bytes / kibibyte)} kB`
  return bytes < gibibyte ? `${(bytes / mebibyte).toFixed(1)} MB` : `${(bytes / gibibyte).toFixed(2)} GB`
}

/** How long a text is, of how long it may be. Nobody counts letters before there are many: undefined until then. */
export function lengthHint({ length }: string, most: number): string | undefined {
  return length > most * 0.8 ? `${figureText(length)} of ${figureText(most)} characters` : undefined
}
