export const studentMissing = 'Student not found'

/** @param change what was to be done, as in "nothing was archived" */
export function missingSentence(missing: number, change: string): string {
  const which =
    missing === 1
      ? '1 of the selected students no longer exists'
      : `${missing} of the selected students no longer exist`
  return `${which}, so nothing was ${change}. Please reload the list and select again.`
}
