import { readScore, type Scores } from '#shared/terms/mark-proposal.ts'
import type { SchemePart } from '#shared/terms/mark-scheme.ts'
import type { MarkItem } from '#shared/terms/marks-response.ts'
import { readPastedRows } from '#web/lib/pasted-rows.ts'
import type { TypedMarks } from './typed-marks.ts'

/** A cell of the grid, as `typed-marks.ts` takes it: its text in the place of a mark. */
export interface ScoreCell {
  id: string
  mark: string
  item: MarkItem
  part: SchemePart
}

const textOf = (score: number | undefined) => (score === undefined ? '' : String(score))

export const scoreCell = (item: MarkItem, part: SchemePart): ScoreCell => ({
  id: `${item.id} ${part.key}`,
  mark: textOf(item.scores[part.key]),
  item,
  part,
})

export type ScoreState =
  | { kind: 'saved' }
  | { kind: 'changed'; score: number | null; seen: number | null }
  | { kind: 'unreadable' }
  /** Somebody else entered another one meanwhile. */
  | { kind: 'conflict' }

export function stateOfScore({ id, mark, part }: ScoreCell, typed: TypedMarks): ScoreState {
  const own = typed.get(id)
  if (!own) return { kind: 'saved' }
  const score = readScore(own.text, part)
  if (score === undefined) return { kind: 'unreadable' }
  if (textOf(score ?? undefined) === mark) return { kind: 'saved' }
  if (own.seen !== mark) return { kind: 'conflict' }
  return { kind: 'changed', score, seen: mark === '' ? null : Number(mark) }
}

/** The scores with what is typed; a cell without a readable score has none. */
export function scoresWith(item: MarkItem, parts: readonly SchemePart[], typed: TypedMarks): Scores {
  return Object.fromEntries(
    parts.flatMap((part): [string, number][] => {
      const state = stateOfScore(scoreCell(item, part), typed)
      const score = state.kind === 'saved' ? item.scores[part.key] : state.kind === 'changed' && state.score
      return typeof score === 'number' ? [[part.key, score]] : []
    }),
  )
}

export interface PastedScores {
  cells: readonly { cell: ScoreCell; text: string }[]
  unreadable: readonly string[]
  /** Lines or columns beyond the end of the list. */
  beyond: number
  /** Whether the first line has texts alone, as a heading has. */
  hasHeading: boolean
}

/** A block that was copied in a spreadsheet, from a cell on. An empty cell leaves what is there. */
export function readScores(
  text: string,
  { row, column }: { row: number; column: number },
  cellAt: (row: number, column: number) => ScoreCell | undefined,
): PastedScores {
  const filled = readPastedRows(text)
    .flatMap((line, down) =>
      line.map((own, right) => ({ text: own.trim(), down, cell: cellAt(row + down, column + right) })),
    )
    .filter((one) => one.text !== '')
  const inside = filled.flatMap(({ cell, ...one }) => (cell ? [{ ...one, cell }] : []))
  const isScore = ({ cell, text: own }: (typeof inside)[number]) => readScore(own, cell.part) !== undefined
  const first = inside.filter(({ down }) => down === 0)
  return {
    hasHeading: first.length > 0 && first.every((one) => /^\D+$/.test(one.text)),
    cells: inside.filter(isScore),
    unreadable: inside.filter((one) => !isScore(one)).map((one) => one.text),
    beyond: filled.length - inside.length,
  }
}
