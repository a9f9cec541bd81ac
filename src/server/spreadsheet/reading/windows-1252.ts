// The characters of bytes 0x80 to 0x9f. Node.js before 24 decodes them as Latin-1, where they are control characters.
const letters =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'

export function letterOf1252(byte: number): string {
  return letters[byte - 0x80] ?? String.fromCharCode(byte)
}

/** What was decoded as Windows-1252, by any version of Node.js. */
export function mended1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (letter) => letterOf1252(letter.charCodeAt(0)))
}
