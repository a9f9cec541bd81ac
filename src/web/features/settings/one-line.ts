/** One line of text, however it was typed or pasted into an area of several. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
