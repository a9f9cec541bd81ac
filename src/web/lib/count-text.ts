/** 20000 → '20,000'. */
export function figureText(figure: number): string {
  return figure.toLocaleString('en-US')
}

/** '1 student', '2,000 students'. */
export function countOf(count: number, noun: string): string {
  return `${figureText(count)} ${count === 1 ? noun : `${noun}s`}`
}
