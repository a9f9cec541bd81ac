const figures = new Intl.NumberFormat('en-US')

/** 20000 → '20,000'. */
export function figureText(figure: number): string {
  return figures.format(figure)
}

/** '1 student', '2,000 students'. */
export function countOf(count: number, noun: string): string {
  return `${figureText(count)} ${count === 1 ? noun : `${noun}s`}`
}
