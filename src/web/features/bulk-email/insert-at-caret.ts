/** Puts text at the caret of a field, in the place of what is selected, as if it had been typed. */
export function insertAtCaret(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.focus()
  const start = field.selectionStart ?? field.value.length
  const end = field.selectionEnd ?? start
  field.setRangeText(text, start, end, 'end')
  // The form hears of it as of a key.
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
