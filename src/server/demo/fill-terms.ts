import type { Transaction } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Tables } from '#server/database/schema.ts'
import { createAudit } from '#server/features/audit/repository.ts'
import { createPlacing } from '#server/features/terms/placing-service.ts'
import { createSectionsService, createTermsService } from '#server/features/terms/service.ts'
import { officeItself } from '#server/lib/access.ts'
import { ownActor, type Staff } from '#server/lib/actor.ts'
import type { SectionEdit, SectionTakes } from '#shared/terms/terms.ts'

const actor: Staff = { ...ownActor('command line'), access: officeItself }

const plain = { unit: '', takes: 'all', courses: [], adviser: '', meets: '' } as const

const platoons: SectionEdit[] = ['Alpha', 'Bravo', 'Charlie', 'Delta'].flatMap((unit, index) => {
  const takes: SectionTakes = index < 2 ? 'Male' : 'Female'
  return [1, 2].map((number) => ({
    ...plain,
    courses: [],
    unit,
    takes,
    name: `Platoon ${number}`,
    capacity: 37,
    meets: 'Saturday 7:00, parade ground',
  }))
})

const advisers = ['Ms. Bautista', 'Mr. Villanueva', 'Ms. Aquino', 'Mr. Lim']

const sections: SectionEdit[] = Array.from({ length: 8 }, (_, index) => ({
  ...plain,
  courses: [],
  name: `Section ${index + 1}`,
  capacity: 50,
  adviser: advisers[index % advisers.length] ?? '',
  meets: index < 4 ? 'Saturday 8:00, main building' : 'Sunday 8:00, main building',
}))

const daysAgo = 60
const dayMs = 86_400_000

/**
 * An open term with its students in sections, and the next one planned: through the services that the screen uses.
 * @param tx all of it is written in this transaction
 */
export async function fillTerms(tx: Transaction<Tables>, now: Date, academicYear: string): Promise<void> {
  const clock = () => new Date(now.getTime() - daysAgo * dayMs)
  const database: Pick<AppDatabase, 'db' | 'transact'> = { db: tx, transact: (work) => work(tx) }
  const options = {
    database,
    clock,
    audit: createAudit({ clock }),
    // No page is open yet.
    publish: () => undefined,
    timeZone: 'Asia/Manila',
  }
  const terms = createTermsService(options)
  const placing = createPlacing(options)
  const begin = Number(academicYear.slice(0, 4))
  const { id } = await terms.add(
    {
      academicYear,
      semester: 1,
      startsOn: `${begin}-08-03`,
      endsOn: `${begin}-12-19`,
      state: 'open',
      copyFrom: null,
    },
    actor,
  )
  for (const [component, own] of [
    ['ROTC', platoons],
    ['CWTS', sections],
  ] as const) {
    await createSectionsService(options).add(id, { component, level: 1, sections: own }, actor)
    const placement = { component, level: 1, order: 'name', fill: 'evenly', withoutSections: false } as const
    const { basis } = await placing.preview(id, placement, officeItself)
    await placing.place(id, { ...placement, basis }, undefined, actor)
  }
  await terms.add(
    {
      academicYear,
      semester: 2,
      startsOn: `${begin + 1}-01-11`,
      endsOn: `${begin + 1}-05-29`,
      state: 'planned',
      copyFrom: null,
    },
    actor,
  )
}
