import { findOpenTerm } from '#server/features/terms/service.ts'
import type { Access } from '#server/lib/access.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { StandingCount } from '#shared/attendance/attendance-response.ts'
import type { LimitStanding } from '#shared/attendance/standing.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import { type Level, levels } from '#shared/terms/terms.ts'
import { readStanding } from './service.ts'

interface Cell {
  termId: string
  component: NstpComponent
  level: Level
}

/** Finds students who are near or over the limits of absences. */
export function createStandings({ database, timeZone }: Pick<AppContext, 'database' | 'timeZone'>) {
  const { db } = database

  async function ofCell(cell: Cell, access: Access): Promise<[studentId: string, LimitStanding][]> {
    const missed = { ...cell, section: 'all', hasMissed: true } as const
    const { listed } = await readStanding(db, missed, { access, timeZone })
    return listed.flatMap(({ recordId, stands: { level } }) => (level === 'fine' ? [] : [[recordId, level]]))
  }

  const cellsOf = (termId: string, access: Access): Cell[] =>
    nstpComponents
      .filter((component) => access.includes(component))
      .flatMap((component) => levels.map((level) => ({ termId, component, level })))

  return {
    /**
     * Finds the standing of who is near or over, by the student's id.
     * @param wanted a component and a level, or 'all'
     */
    async list(
      termId: string,
      wanted: { component: string; level: string },
      access: Access,
    ): Promise<Map<string, LimitStanding>> {
      const found = new Map<string, LimitStanding>()
      for (const cell of cellsOf(termId, access)) {
        const isWanted =
          (wanted.component === 'all' || wanted.component === cell.component) &&
          (wanted.level === 'all' || wanted.level === String(cell.level))
        if (isWanted) for (const [id, standing] of await ofCell(cell, access)) found.set(id, standing)
      }
      return found
    },

    /** Counts them in the open term, by component and level. */
    async count(access: Access): Promise<StandingCount[]> {
      const open = await findOpenTerm(db)
      const counts: StandingCount[] = []
      for (const cell of open ? cellsOf(open.id, access) : []) {
        const standings = (await ofCell(cell, access)).map(([, standing]) => standing)
        const over = standings.filter((standing) => standing === 'over').length
        if (standings.length > 0) counts.push({ ...cell, over, near: standings.length - over })
      }
      return counts
    },
  }
}

export type Standings = ReturnType<typeof createStandings>
