const markup = /[&<>"']/g
const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function xmlEscape(text: string): string {
  return text.replace(markup, (character) => names[character] ?? character)
}
