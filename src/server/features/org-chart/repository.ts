import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { OrgNodesTable, Queryable } from '#server/database/schema.ts'
import type { OrgPosition } from '#shared/org-chart/org-tree.ts'

// Lock: taken by changes of the tree until their transaction ends.
const treeLock = 7_191_630_004

export type OrgNodeRow = Selectable<OrgNodesTable>

export interface OrderedNode extends OrgPosition {
  order: number
}

export type OrgChartRepository = ReturnType<typeof createOrgChartRepository>

/** A node is found by org_nodes_pkey; all of them (2,000 at most) are read by a table scan. */
export function createOrgChartRepository(db: Queryable) {
  const inOrder = () => db.selectFrom('orgNodes').orderBy('position').orderBy('id')

  return {
    list: (): Promise<OrgNodeRow[]> => inOrder().selectAll().execute(),

    // Reads after it stay valid until the transaction ends.
    async lockTree(): Promise<void> {
      await sql`select pg_advisory_xact_lock(${treeLock}::bigint)`.execute(db)
    },

    arrangement: (): Promise<OrderedNode[]> =>
      inOrder().select(['id', 'parentId', 'position as order']).execute(),

    find: (id: string): Promise<OrgNodeRow | undefined> =>
      db.selectFrom('orgNodes').selectAll().where('id', '=', id).executeTakeFirst(),

    // Index: org_nodes_siblings.
    async hasChildren(id: string): Promise<boolean> {
      const children = db.selectFrom('orgNodes').select('id').where('parentId', '=', id).limit(1)
      return (await children.executeTakeFirst()) !== undefined
    },

    insert: (node: Insertable<OrgNodesTable>): Promise<OrgNodeRow> =>
      db.insertInto('orgNodes').values(node).returningAll().executeTakeFirstOrThrow(),

    update: (id: string, change: Updateable<OrgNodesTable>): Promise<OrgNodeRow> =>
      db
        .updateTable('orgNodes')
        .set({ ...change, version: sql`version + 1` })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),

    async remove(id: string): Promise<void> {
      await db.deleteFrom('orgNodes').where('id', '=', id).execute()
    },

    // A node counts as changed only under another parent.
    async move(arrangement: readonly OrderedNode[], at: Date): Promise<void> {
      await sql`
        update org_nodes node
        set version = node.version + (node.parent_id is distinct from wanted.parent_id)::int,
          parent_id = wanted.parent_id, position = wanted.position, updated_at = ${at}
        from unnest(${arrangement.map(({ id }) => id)}::uuid[], ${arrangement.map(({ parentId }) => parentId)}::uuid[],
          ${arrangement.map(({ order }) => order)}::int[]) as wanted (id, parent_id, position)
        where node.id = wanted.id`.execute(db)
    },
  }
}
