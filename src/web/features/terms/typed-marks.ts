import { type MarkingScale, outcomeOf, writtenMark } from '#shared/terms/marking.ts'
import type { MarkItem } from '#shared/terms/marks-response.ts'
import type { Outcome } from '#shared/terms/terms.ts'

interface TypedMark {
  text: string
  /** The stored mark that it takes the place of. */
  seen: string
}

/** The marks that aren't saved yet, by enrolment. */
export type TypedMarks = ReadonlyMap<string, TypedMark>

export type MarkState =
  | { kind: 'saved' | 'changed'; mark: string; outcome: Outcome }
  | { kind: 'unreadable' }
  /** Somebody else entered another one meanwhile. */
  | { kind: 'conflict'; other: string }

export function stateOf(
  item: Pick<MarkItem, 'mark' | 'outcome'>,
  typed: TypedMark | undefined,
  scale: MarkingScale,
): MarkState {
  const mark = writtenMark(typed?.text ?? item.mark)
  if (mark === item.mark) return { kind: 'saved', mark, outcome: item.outcome }
  const outcome = outcomeOf(mark, scale)
  if (outcome === undefined) return { kind: 'unreadable' }
  if (typed && typed.seen !== item.mark) return { kind: 'conflict', other: item.mark }
  return { kind: 'changed', mark, outcome }
}

/** What typed text takes the place of. */
type Stored = Pick<MarkItem, 'id' | 'mark'>

export function withTyped(typed: TypedMarks, item: Stored, text: string): TypedMarks {
  return new Map(typed).set(item.id, { text, seen: typed.get(item.id)?.seen ?? item.mark })
}

/** Down from a row; '' leaves the row as it is. */
export function withColumn(
  typed: TypedMarks,
  items: readonly Stored[],
  { first, marks }: { first: number; marks: readonly string[] },
): TypedMarks {
  return items
    .slice(first, first + marks.length)
    .reduce((all, item, index) => (marks[index] ? withTyped(all, item, marks[index]) : all), typed)
}

/** Keeps the typed mark over the other one, which the user has seen. */
export function withKept(typed: TypedMarks, item: Stored): TypedMarks {
  const own = typed.get(item.id)
  return own ? new Map(typed).set(item.id, { ...own, seen: item.mark }) : typed
}

/** @param sent what the user typed further on stays */
export function withoutSaved(
  typed: TypedMarks,
  sent: readonly { id: string; mark: string }[],
  savedIds: ReadonlySet<string>,
): TypedMarks {
  const sentMarks = new Map(sent.map(({ id, mark }) => [id, mark]))
  const isDone = (id: string, text: string) => savedIds.has(id) && sentMarks.get(id) === writtenMark(text)
  return new Map([...typed].filter(([id, { text }]) => !isDone(id, text)))
}
