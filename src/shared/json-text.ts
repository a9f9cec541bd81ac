/** The value of a JSON text from outside; undefined for any other text. Its schema checks it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
