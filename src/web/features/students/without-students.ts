/** A button that does nothing stays in reach, so that its reason can be read. */
export function withoutStudents(action: string) {
  return { 'aria-disabled': true, title: `There are no students in the list to ${action}.` }
}
