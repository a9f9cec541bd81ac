import type { StudentListItem } from '#shared/student.ts'

/**
 * Puts selected students in the order of the list. Only when some of them aren't on the screen does the whole
 * list's order have to be read.
 *
 * @param readOrder the ids of the whole list in order
 */
export async function inListOrder(
  selected: ReadonlySet<string>,
  shown: readonly Pick<StudentListItem, 'id'>[],
  readOrder: () => Promise<readonly string[]>,
): Promise<string[]> {
  const onScreen = shown.map(({ id }) => id).filter((id) => selected.has(id))
  if (onScreen.length === selected.size) return onScreen
  const ordered = (await readOrder()).filter((id) => selected.has(id))
  // Who left the list since being selected is still selected, and comes last.
  return [...new Set([...ordered, ...selected])]
}
