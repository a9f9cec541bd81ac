/** The rows of cells that were copied in a spreadsheet, which ends its last row too. */
export const pastedRows = (text: string): string[][] =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t'))
