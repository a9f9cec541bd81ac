import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import { type ChangeContext, changesBetween, commitChange, pick } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import type { Settings } from '#shared/settings/settings.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { attendedOf, type ProposedMark, proposeMark, type Scores } from '#shared/terms/mark-proposal.ts'
import { type MarkScheme, type SchemeChange, scaleFault, schemeMessages } from '#shared/terms/mark-scheme.ts'
import { marksMessages, type SentScores } from '#shared/terms/marks.ts'
import type { SavedScores } from '#shared/terms/marks-response.ts'
import { termLabel } from '#shared/terms/terms.ts'
import { createMarksRepository, type LockedMark } from './mark-repository.ts'
import { createMarkSchemesRepository } from './mark-scheme-repository.ts'
import { lockAnyTerm, lockTerm, mustHaveComponent } from './service.ts'

/** What the attendance part of a scheme counts, by enrolment. */
export async function attendedBy(
  db: Queryable,
  access: Access,
  scheme: MarkScheme | null,
  ids: readonly string[],
) {
  const way = scheme?.parts.find(({ attendance }) => attendance)?.attendance
  if (!way) return () => null
  const counted = await createMarkSchemesRepository(db, access).listCounted(ids)
  return (id: string) => attendedOf(counted.get(id) ?? [], way)
}

/** What the parts give, by enrolment, where each part has a score. */
export async function proposalsOf(
  tx: Queryable,
  { termId, rows, marking }: { termId: string; rows: readonly LockedMark[]; marking: Settings['marking'] },
  access: Access,
): Promise<ReadonlyMap<string, ProposedMark>> {
  const proposals = new Map<string, ProposedMark>()
  for (const component of new Set(rows.map((row) => row.component))) {
    const own = rows.filter((row) => row.component === component)
    const scheme = await createMarkSchemesRepository(tx, access).find(termId, component)
    if (!scheme) continue
    const ids = own.map(({ id }) => id)
    const attended = await attendedBy(tx, access, scheme, ids)
    for (const { id, scores } of own) {
      const proposed = proposeMark(scheme, { scores, attended: attended(id) }, marking)
      if (proposed) proposals.set(id, proposed)
    }
  }
  return proposals
}

type SchemeOf = Omit<SchemeChange, 'seen'>

export function createMarkSchemes(options: ChangeContext & { settings: () => Settings }) {
  return {
    /** Later terms have it too, until they have their own. Marks that were entered stay. */
    async change(termId: string, { seen, ...change }: SchemeChange, actor: Staff): Promise<SchemeOf> {
      const { component, scheme } = change
      mustHaveComponent(actor.access, component)
      const fault = scheme && scaleFault(scheme.scale, options.settings().marking)
      if (fault) throw invalid('scheme.scale.bounds', fault)
      return await commitChange(options, 'terms', async (tx, record) => {
        const term = await lockTerm(tx, termId)
        const schemes = createMarkSchemesRepository(tx, actor.access)
        const before = { component, scheme: await schemes.find(termId, component) }
        const { fields } = changesBetween<SchemeOf>(before, change)
        if (fields.length === 0) return change
        if (changesBetween<SchemeOf>(before, { scheme: seen }).fields.length > 0) {
          throw new AppError('conflict', schemeMessages.changed)
        }
        await schemes.store(termId, component, scheme)
        const values = { before: pick(before, fields), after: pick(change, fields) }
        const subject = `${termLabel(term)}: ${component}`
        await record({ action: 'mark-scheme-changed', actor, subject, fields, values })
        return change
      })
    },

    /**
     * Saves scores that nobody else has changed since they were seen. A score that is there already is none, so that a
     * request can be sent again.
     */
    async saveScores(termId: string, { items }: SentScores, actor: Staff): Promise<SavedScores> {
      const ids = [...new Set(items.map(({ id }) => id))]
      return await commitChange(options, 'terms', async (tx, record) => {
        const term = await lockAnyTerm(tx, termId)
        const rows = await createMarksRepository(tx, actor.access).lock(termId, ids)
        if (rows.length < ids.length) throw new AppError('not_found', marksMessages.gone)
        const held = new Map(rows.map((row) => [row.id, row]))
        const schemes = createMarkSchemesRepository(tx, actor.access)
        await mustFit(items, held, (component) => schemes.find(termId, component))

        const cells = items.map((item) => ({ item, now: held.get(item.id)?.scores[item.part] ?? null }))
        const isSame = ({ item, now }: (typeof cells)[number]) => now === item.score
        const conflicts = cells.filter((cell) => !isSame(cell) && cell.now !== cell.item.seen)
        const changed = cells.filter((cell) => !isSame(cell) && cell.now === cell.item.seen)
        if (changed.length > 0) {
          const ofChanged = new Map<string, Scores>()
          for (const { item } of changed) {
            const scores = ofChanged.get(item.id) ?? held.get(item.id)?.scores ?? {}
            ofChanged.set(item.id, withScore(scores, item))
          }
          await schemes.setScores([...ofChanged].map(([id, scores]) => ({ id, scores })))
          await record({
            action: 'scores-entered',
            actor,
            subject: termLabel(term),
            studentIds: rows.flatMap(({ id, recordId }) => (ofChanged.has(id) ? [recordId] : [])),
          })
        }
        const saved = cells.filter((cell) => isSame(cell) || changed.includes(cell))
        return {
          items: saved.map(({ item: { id, part, score } }) => ({ id, part, score })),
          conflicts: conflicts.map(({ item: { id, part }, now }) => ({ id, part, score: now })),
        }
      })
    },
  }
}

type SentScore = SentScores['items'][number]

/** @throws AppError `conflict` for a part that is none any more; `invalid` for what is no score of it */
async function mustFit(
  items: readonly SentScore[],
  held: ReadonlyMap<string, LockedMark>,
  schemeOf: (component: NstpComponent) => Promise<MarkScheme | null>,
): Promise<void> {
  const tops = new Map<string, number>()
  for (const component of new Set([...held.values()].map((row) => row.component))) {
    for (const { key, top } of (await schemeOf(component))?.parts ?? []) tops.set(`${component} ${key}`, top)
  }
  const errors = items.flatMap(({ id, part, score }, index) => {
    const top = tops.get(`${held.get(id)?.component} ${part}`)
    if (top === undefined) throw new AppError('conflict', marksMessages.noPart)
    const isScore = score === null || (score >= 0 && score <= top && Number(score.toFixed(2)) === score)
    return isScore ? [] : [{ path: `items.${index}.score`, message: marksMessages.score(top) }]
  })
  if (errors.length > 0) throw new AppError('invalid', { errors })
}

function withScore(scores: Scores, { part, score }: SentScore): Scores {
  const { [part]: _before, ...others } = scores
  return score === null ? others : { ...others, [part]: score }
}
