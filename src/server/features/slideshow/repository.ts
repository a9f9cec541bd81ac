import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Queryable, SlidesTable } from '#server/database/schema.ts'

export type SlideRow = Selectable<SlidesTable>

export type SlidesRepository = ReturnType<typeof createSlidesRepository>

/** Found by slides_pkey. */
export function createSlidesRepository(db: Queryable) {
  return {
    // Lock: one transaction at a time changes slides; reads aren't blocked.
    async lock(): Promise<void> {
      await sql`lock table slides in share row exclusive mode`.execute(db)
    },

    // Index: slides_position_key.
    async list({ onlyActive = false } = {}): Promise<SlideRow[]> {
      const slides = db.selectFrom('slides').selectAll().orderBy('position')
      return await (onlyActive ? slides.where('active', '=', true) : slides).execute()
    },

    find: (id: string): Promise<SlideRow | undefined> =>
      db.selectFrom('slides').selectAll().where('id', '=', id).executeTakeFirst(),

    // The new slide becomes the last one.
    async insert(slide: Omit<Insertable<SlidesTable>, 'position'>): Promise<SlideRow> {
      const position = sql<number>`(select count(*)::int from slides)`
      return await db
        .insertInto('slides')
        .values({ ...slide, position })
        .returningAll()
        .executeTakeFirstOrThrow()
    },

    update: (id: string, change: Updateable<SlidesTable>): Promise<SlideRow> =>
      db
        .updateTable('slides')
        .set({ ...change, version: sql`version + 1` })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),

    // Later slides move up. Index: slides_position_key.
    async delete({ id, position }: Pick<SlideRow, 'id' | 'position'>): Promise<void> {
      await db.deleteFrom('slides').where('id', '=', id).execute()
      await sql`update slides set position = position - 1 where position > ${position}`.execute(db)
    },

    async setOrder(ids: readonly string[]): Promise<void> {
      await sql`
        update slides set position = place.position - 1
        from unnest(${[...ids]}::uuid[]) with ordinality as place (id, position)
        where slides.id = place.id and slides.position <> place.position - 1`.execute(db)
    },
  }
}
