/** In the history entry of a list that one is led to: its title gets the focus, for the last button is gone. */
export const titleFirst = { focus: 'title' }

/** Whether a history entry says so. */
export function isTitleFirst(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'focus' in state && state.focus === titleFirst.focus
}
