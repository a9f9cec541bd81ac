/** '3:07 PM' and 'Friday, November 20, 2026', by the program's calendar. */
export function clockTexts(instant: Date, timeZone: string): { time: string; date: string } {
  const write = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(instant)
  return {
    // The space before AM/PM is a narrow one in newer ICU versions: an ordinary one keeps server and browser equal.
    time: write({ hour: 'numeric', minute: '2-digit', hour12: true }).replace(/\s/gu, ' '),
    date: write({ dateStyle: 'full' }),
  }
}
