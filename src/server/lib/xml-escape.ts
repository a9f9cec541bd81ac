const markup = /[&<>"']/g
const names: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** A text as it may stand in an XML element or a quoted attribute. */
export function xmlEscape(text: string): string {
  return text.replace(markup, (character) => names[character] ?? character)
}
