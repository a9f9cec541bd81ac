import { LRUCache } from 'lru-cache'
import type { Access } from '#server/lib/access.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { levels } from '#shared/terms/terms.ts'
import type { TermSummary } from '#shared/terms/terms-response.ts'
import type { Topic } from '#shared/topics.ts'
import { createSectionsRepository } from './repository.ts'
import { findTerm } from './service.ts'

// ms: a process killed between its commit and its notice has announced nothing.
const maxAgeMs = 5_000

/**
 * How many sections and students a term has, by component and level. Everybody's dashboard asks at each change; counting
 * takes a processor for 10 ms at 100,000 records, so it is done once until the next change.
 */
export function createTermSummaries({ db, notices }: Pick<AppContext, 'db' | 'notices'>) {
  // Promises: who asks meanwhile waits for the same answer.
  const counted = new LRUCache<string, Promise<TermSummary>>({ max: 100, ttl: maxAgeMs })
  const forget = (topic: Topic) => {
    if (topic === 'terms' || topic === 'students') counted.clear()
  }
  notices.onPublish(forget)
  notices.subscribe(forget)

  async function count(id: string, access: Access): Promise<TermSummary> {
    const term = await findTerm(db, id)
    const sections = createSectionsRepository(db, access)
    const mayReadMarks = access.can('marks.read')
    const [ofSections, enrolled, waiting] = await Promise.all([
      sections.countSections(id),
      sections.countEnrolled(id),
      sections.countWaiting(term),
    ])
    const cells = nstpComponents
      .filter((component) => access.includes(component))
      .flatMap((component) => levels.map((level) => ({ component, level })))
    return {
      items: cells.map((cell) => {
        const isOfCell = (one: typeof cell) => one.component === cell.component && one.level === cell.level
        const { marked = 0, ...figures } = enrolled.find(isOfCell) ?? {}
        return {
          ...cell,
          ...{ sections: 0, capacity: 0, placed: 0, withoutSection: 0, waiting: 0, official: 0 },
          ...ofSections.find(isOfCell),
          ...figures,
          ...waiting.find(isOfCell),
          ...(mayReadMarks && { marked }),
        }
      }),
    }
  }

  return (id: string, access: Access): Promise<TermSummary> => {
    // Changes of other processes could be missed.
    if (!notices.isCurrent()) return count(id, access)
    const key = JSON.stringify([id, access.account])
    const known = counted.get(key)
    if (known) return known
    const counting = count(id, access)
    counted.set(key, counting)
    counting.catch(() => counted.delete(key))
    return counting
  }
}
