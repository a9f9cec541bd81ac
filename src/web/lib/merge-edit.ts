export interface EditMerge<Values> {
  /** A field that only one side changed has that side's value, a contested one mine. */
  values: Values
  /** Theirs, where it isn't mine already. */
  differing: (keyof Values & string)[]
  /** The part of `differing` that I changed too. */
  contested: (keyof Values & string)[]
}

/** Three-way merge: `base` as the form was opened, `theirs` as stored now, `mine` as in the form. */
export function mergeEdit<Values extends object>(
  base: Values,
  theirs: Values,
  mine: Values,
): EditMerge<Values> {
  const values = { ...mine }
  const differing: (keyof Values & string)[] = []
  const contested: (keyof Values & string)[] = []
  for (const name in base) {
    if (isSame(base[name], theirs[name]) || isSame(theirs[name], mine[name])) continue
    differing.push(name)
    if (isSame(base[name], mine[name])) values[name] = theirs[name]
    else contested.push(name)
  }
  return { values, differing, contested }
}

export function changedFields<Values extends object>(base: Values, mine: Values): (keyof Values & string)[] {
  const changed: (keyof Values & string)[] = []
  for (const name in mine) if (!isSame(base[name], mine[name])) changed.push(name)
  return changed
}

/** Surrounding spaces don't count, nor does the order of an object's members. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return one.trim() === other.trim()
  if (one instanceof Blob || other instanceof Blob) return one === other
  return inOrder(one) === inOrder(other)
}

function inOrder(value: unknown): string | undefined {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}
