const cells = /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/g

/**
 * The cells of a block that was copied in a spreadsheet, by rows. A cell that has a line break or a tab itself is in quotes:
 * read as two rows, it would give each row below it to the next student.
 */
export function readPastedRows(text: string): string[][] {
  // The last row has an end too.
  const block = text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '')
  let row: string[] = []
  const rows = [row]
  for (const [, quoted, plain = '', end] of block.matchAll(cells)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '') break
    if (end === '\n') {
      row = []
      rows.push(row)
    }
  }
  return rows
}
