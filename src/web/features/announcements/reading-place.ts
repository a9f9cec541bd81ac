/**
 * Which announcement is open over a list, as the part of the address behind the #: opening one reads nothing else
 * of the page again, and Back closes it. No element has this id, so that the page doesn't move.
 */
const prefix = '#read='

/** The part of the address while an announcement is open. */
export function readingHash(id: string): string {
  return `${prefix}${id}`
}

/** The announcement that an address opens, or null. */
export function readIdOf(hash: string): string | null {
  return /^#read=([\da-f-]{36})$/.exec(hash)?.[1] ?? null
}

/** Marks a place in the history that was reached by opening an announcement: closing it goes back from there. */
export const openedHere = { opened: true }

/** Whether a place in the history has that mark. */
export function wasOpenedHere(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'opened' in state && state.opened === true
}

/** The id of the link on an announcement's card: the focus comes back to it. */
export function cardLinkId(id: string): string {
  return `announcement-${id}`
}
