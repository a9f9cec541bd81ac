/** The texts of a list that is written with semicolons between them, over any number of lines. */
export function textList(text: string): readonly string[] {
  return text.split(';').map((item) => item.trim())
}
