/** A Content-Disposition that saves the body under a name in any script (RFC 6266, RFC 8187). */
export function attachment(fileName: string): string {
  // For the few clients that don't know filename*: quotes, backslashes and what isn't ASCII become '_'.
  const plain = fileName.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeRfc8187(fileName)}`
}

function encodeRfc8187(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
