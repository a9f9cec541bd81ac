import { type Insertable, type Selectable, sql } from 'kysely'
import type { PaperTables } from '#server/database/paper-tables.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { LayoutCode } from '#shared/papers/papers.ts'

type BaseRow = Selectable<PaperTables['layoutBases']>
export type UsedBase = Pick<BaseRow, 'id' | 'layout' | 'fileName' | 'headings' | 'removed' | 'uploadedAt'> & {
  uploadedBy: string | null
}

/** Own workbooks of the office. Those that are used, without their bytes. */
export function createBaseRepository(db: Queryable) {
  return {
    // Index: layout_bases_used.
    listUsed: (): Promise<UsedBase[]> =>
      db
        .selectFrom('layoutBases')
        .leftJoin('admins', 'admins.id', 'uploadedById')
        .select([
          'layoutBases.id',
          'layout',
          'fileName',
          'headings',
          'removed',
          'uploadedAt',
          'displayName as uploadedBy',
        ])
        .where('retiredAt', 'is', null)
        .execute(),

    // Index: layout_bases_pkey.
    read: (id: string): Promise<Pick<BaseRow, 'bytes' | 'headings'>> =>
      db
        .selectFrom('layoutBases')
        .select(['bytes', 'headings'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),

    async insert(base: Insertable<PaperTables['layoutBases']>): Promise<void> {
      await db.insertInto('layoutBases').values(base).execute()
    },

    /**
     * Papers that were frozen with it keep it. @returns whether there was one. Under the lock of the layout. Indexes:
     * layout_bases_used, papers_base.
     */
    async retire(layout: LayoutCode, at: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('layoutBases')
        .set({ retiredAt: at })
        .where('layout', '=', layout)
        .where('retiredAt', 'is', null)
        .executeTakeFirstOrThrow()
      await sql`
        delete from layout_bases where layout = ${layout} and retired_at is not null
          and not exists (select from papers where base_id = layout_bases.id)`.execute(db)
      return numUpdatedRows > 0n
    },
  }
}
