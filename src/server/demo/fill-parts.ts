import type { Transaction } from 'kysely'
import type { Tables } from '#server/database/schema.ts'
import { createMarkSchemes } from '#server/features/terms/mark-scheme-service.ts'
import { createMarks } from '#server/features/terms/mark-service.ts'
import { createSectionsService } from '#server/features/terms/service.ts'
import { officeItself } from '#server/lib/access.ts'
import { proposeMark } from '#shared/terms/mark-proposal.ts'
import { proposedScheme } from '#shared/terms/mark-scheme.ts'
import { defaultMarking } from '#shared/terms/marking.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { actor, contextAt } from './fill-terms.ts'
import { createRandom } from './random.ts'

const component = 'ROTC'
// Sections with all scores: the marks of the first are entered, those of the second are proposed.
const finished = { entered: 1, scored: 2 }
// The other scores of a term in its last weeks.
const early: readonly string[] = ['attitude', 'midterm']

/** Parts of the marks of one component in the open term, after its attendance was called. */
export async function fillParts(tx: Transaction<Tables>, now: Date, { id: termId }: Term): Promise<void> {
  const context = contextAt(tx, now)
  const [schemes, marks] = [createMarkSchemes(context), createMarks(context)]
  const scheme = proposedScheme(component, defaultMarking)
  await schemes.change(termId, { component, scheme }, actor)
  const random = createRandom(3020)
  const typed = scheme.parts.filter(({ attendance }) => attendance === null)
  const sections = (await createSectionsService(context).list(termId, officeItself)).filter(
    (section) => section.component === component && section.students > 0,
  )
  for (const [index, { id: section, level }] of sections.entries()) {
    const wanted = { component, level, section } as const
    const { items } = await marks.list(termId, wanted, actor)
    const parts = index < finished.scored ? typed : typed.filter(({ key }) => early.includes(key))
    const scores = items.flatMap(({ id }) =>
      parts.map(({ key, top }) => ({ id, part: key, seen: null, score: random.integer(top * 0.7, top) })),
    )
    await schemes.saveScores(termId, { items: scores }, actor)
    if (index >= finished.entered) continue
    const entered = (await marks.list(termId, wanted, actor)).items.flatMap((item) => {
      const proposed = proposeMark(scheme, item, defaultMarking)
      return proposed ? [{ id: item.id, version: item.version, mark: proposed.mark, isProposed: true }] : []
    })
    await marks.enter(termId, { items: entered, reason: '' }, undefined, actor)
  }
}
