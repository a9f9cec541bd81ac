import { sql } from 'kysely'
import type { OrgNodesTable, Queryable } from '#server/database/schema.ts'
import type { Picture } from '#shared/files/picture.ts'
import type { Department } from '#shared/org-chart/org-chart.ts'
import type { OrgPosition } from '#shared/org-chart/org-tree.ts'

// Lock: taken by changes of the tree until their transaction ends.
const treeLock = 7_191_630_004

const columns = [
  'id',
  'version',
  'name',
  'title',
  'department',
  'parentId',
  'position',
  'image',
  'createdAt',
] as const

export type OrgNodeRow = Omit<
  { [Column in (typeof columns)[number]]: OrgNodesTable[Column] },
  'version' | 'image'
> & { version: number; image: Picture | null }

export interface OrderedNode extends OrgPosition {
  order: number
}

export interface OrgNodeChange {
  name?: string
  title?: string
  department?: Department
  parentId?: string | null
  position?: number
  image?: Picture | null
}

export type OrgChartRepository = ReturnType<typeof createOrgChartRepository>

/** One node by org_nodes_pkey; all of them (2,000 at most) by a table scan. */
export function createOrgChartRepository(db: Queryable) {
  return {
    async list(): Promise<OrgNodeRow[]> {
      return await db.selectFrom('orgNodes').select(columns).orderBy('position').orderBy('id').execute()
    },

    // Reads after it stay valid until the transaction ends.
    async lockTree(): Promise<void> {
      await sql`select pg_advisory_xact_lock(${treeLock}::bigint)`.execute(db)
    },

    async arrangement(): Promise<OrderedNode[]> {
      return await db
        .selectFrom('orgNodes')
        .select(['id', 'parentId', 'position as order'])
        .orderBy('position')
        .orderBy('id')
        .execute()
    },

    async find(id: string): Promise<OrgNodeRow | undefined> {
      return await db.selectFrom('orgNodes').select(columns).where('id', '=', id).executeTakeFirst()
    },

    // Index: org_nodes_siblings.
    async hasChildren(id: string): Promise<boolean> {
      const child = await db
        .selectFrom('orgNodes')
        .select('id')
        .where('parentId', '=', id)
        .limit(1)
        .executeTakeFirst()
      return child !== undefined
    },

    async insert(node: Omit<OrgNodeRow, 'version'>): Promise<OrgNodeRow> {
      return await db
        .insertInto('orgNodes')
        .values({ ...node, image: asJson(node.image), updatedAt: node.createdAt })
        .returning(columns)
        .executeTakeFirstOrThrow()
    },

    async update(id: string, { image, ...change }: OrgNodeChange, at: Date): Promise<OrgNodeRow> {
      return await db
        .updateTable('orgNodes')
        .set({
          ...change,
          ...(image === undefined ? {} : { image: asJson(image) }),
          version: sql`version + 1`,
          updatedAt: at,
        })
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirstOrThrow()
    },

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

function asJson(image: Picture | null): string | null {
  return image && JSON.stringify(image)
}
