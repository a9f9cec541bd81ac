/** A reference code as it is stored, of one as people type it: in small letters, with other dashes, without "NSTP"; else null. */
export function readReference(text: string): string | null {
  const letters = text.toUpperCase().replace(/[^\dA-Z]/g, '')
  const [, first, second] = /^(?:NSTP)?([\dA-Z]{4})([\dA-Z]{4})$/.exec(letters) ?? []
  return first && second ? `NSTP-${first}-${second}` : null
}
