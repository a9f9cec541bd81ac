import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { v7 as createId } from 'uuid'
import { allOf, inScope, isBehind } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Audit, AuditEntry } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Position } from '#server/lib/paging.ts'
import type { AuditAction } from '#shared/audit/audit.ts'
import type { AuditItem } from '#shared/audit/audit-response.ts'

// ms: a page rereads its record or list with every change; one view is one entry.
const sameViewMs = 10 * 60_000
const sameListMs = 60 * 60_000
const maxListed = 1_000
const maxViewed = 1_000
// Rows of other pages that are one more entry.
const rowsAnEntry = 500
const maxPages = 10_000
// Broken entries that a report names.
const maxNamed = 20

export function createAudit({ clock }: { clock: Clock }): Audit {
  const listed = new LRUCache<string, ReadList>({ max: maxListed })
  // The instant at which a view was entered, by account, action and student.
  const viewed = new LRUCache<string, number>({ max: maxViewed })

  // A screen reads its student again at each change: most of that costs no query.
  async function recordStudent(db: Queryable, entry: AuditEntry, at: Date): Promise<void> {
    const key = JSON.stringify([entry.action, entry.actor.adminId, entry.studentId])
    const age = at.getTime() - (viewed.get(key) ?? 0)
    if (age >= 0 && age < sameViewMs) return
    const since = new Date(at.getTime() - sameViewMs)
    if (await insert(db, { ...entry, id: createId(), at }, since)) viewed.set(key, at.getTime())
  }

  return {
    async record(db, entry) {
      await insert(db, { ...entry, id: createId(), at: clock() })
    },

    async recordEach(db, entries) {
      const at = clock()
      const rows = JSON.stringify(entries.map((entry) => ({ ...entry, id: createId(), at })))
      await sql`
        with e as materialized (
          select * from jsonb_to_recordset(${rows}::jsonb) as e(id uuid, at timestamptz, action text, actor jsonb,
            "studentId" uuid, subject text, fields text[], detail jsonb, "values" jsonb)
        ), added as (
          insert into audit_events (id, at, action, admin_id, actor, client_address, user_agent, request_id,
            student_id, subject, fields, affected, detail)
          select id, at, action, (actor ->> 'adminId')::uuid, actor ->> 'name', actor ->> 'clientAddress',
            actor ->> 'userAgent', actor ->> 'requestId', "studentId", subject, fields, 1, coalesce(detail, '{}')
          from e
        )
        insert into audit_values (event_id, student_id, before, after)
        select id, "studentId", "values" -> 'before', "values" -> 'after' from e`.execute(db)
    },

    async recordView(db, entry, page = '') {
      const at = clock()
      if (entry.studentId) return recordStudent(db, entry, at)
      // Most reads of a list cost no query.
      const key = JSON.stringify([entry.action, entry.actor.adminId, entry.detail])
      const list = listed.get(key)
      const age = at.getTime() - (list?.since ?? 0)
      if (!list || age < 0 || age >= sameListMs) {
        await insert(db, { ...entry, id: createId(), at }, new Date(at.getTime() - sameListMs))
        listed.set(key, { since: at.getTime(), rows: 0, pages: new Set([page]) })
        return
      }
      const affected = takeRows(list, entry.affected ?? 1, page)
      if (affected > 0) await insert(db, { ...entry, affected, id: createId(), at })
    },
  }
}

interface ReadList {
  since: number
  // Rows that were read and aren't in an entry yet.
  rows: number
  pages: Set<string>
}

/** @returns the rows of a further entry; 0 while there are few, or the page was read before */
function takeRows(list: ReadList, rows: number, page: string): number {
  if (list.pages.has(page)) return 0
  if (list.pages.size >= maxPages) list.pages.clear()
  list.pages.add(page)
  list.rows += rows
  if (list.rows < rowsAnEntry) return 0
  const taken = list.rows
  list.rows = 0
  return taken
}

/**
 * One statement, also for an entry's students and values: outside a transaction the chain's link is made at its end, and
 * has to cover the students. Looking back uses audit_events_student; for lists, audit_events_action.
 * @returns whether there was none
 */
async function insert(
  db: Queryable,
  { actor, ...entry }: AuditEntry & { id: string; at: Date },
  unlessSince: Date | null = null,
): Promise<boolean> {
  const studentId = entry.studentId ?? null
  const detail = JSON.stringify(entry.detail ?? {})
  const values = entry.values ? JSON.stringify(entry.values) : null
  const { rows } = await sql`
    with added as (
      insert into audit_events (id, at, action, admin_id, actor, client_address, user_agent, request_id,
        student_id, subject, fields, affected, detail)
      select ${entry.id}::uuid, ${entry.at}::timestamptz, ${entry.action}::text, ${actor.adminId}::uuid,
        ${actor.name}::text, ${actor.clientAddress}::text, ${actor.userAgent}::text, ${actor.requestId}::text,
        ${studentId}::uuid, ${entry.subject ?? ''}::text, ${entry.fields ?? []}::text[],
        ${entry.affected ?? entry.studentIds?.length ?? 1}::int, ${detail}::jsonb
      where ${unlessSince}::timestamptz is null or not exists (
        select from audit_events where ${isSameView({ actor, ...entry }, unlessSince)}
      )
      returning id
    ), about as (
      -- A sheet printed twice names its student twice.
      insert into audit_students (event_id, student_id)
      select distinct added.id, student_id
      from added, unnest(${[...(entry.studentIds ?? [])]}::uuid[]) as student_id
    ), kept as (
      insert into audit_values (event_id, student_id, before, after)
      select id, ${studentId}::uuid, given -> 'before', given -> 'after'
      from added, (values (${values}::jsonb)) as v (given) where given is not null
    )
    select id from added`.execute(db)
  return rows.length > 0
}

function isSameView({ action, actor, studentId, detail = {} }: AuditEntry, since: Date | null) {
  const same = studentId
    ? sql`student_id = ${studentId}::uuid`
    : sql`student_id is null and detail = ${JSON.stringify(detail)}::jsonb`
  return sql`${same} and at > ${since}::timestamptz and action = ${action} and admin_id = ${actor.adminId}::uuid`
}

export interface TrailSelection {
  access: Access
  actions: readonly AuditAction[] | null
  exceptActions: readonly AuditAction[]
  studentId: string | null
  search: string
  from: Date | null
  until: Date | null
  after: Position | null
}

export type TrailRow = Omit<AuditItem, 'at'> & { at: Date }

interface ChangedValues {
  before: Record<string, unknown>
  after: Record<string, unknown>
  action: AuditAction
  studentId: string | null
  affected: number
}

export interface ChainReport {
  links: number
  // SHA-256 of the last link, in hexadecimal: with the position, it stands for the whole trail.
  head: string | null
  position: number
  // Entries that aren't as they were written, and the first of their positions.
  broken: number
  brokenAt: number[]
  // Entries that never passed the chain.
  unlinked: number
  // Intact entries of release 0.2.0 whose students the chain doesn't cover (migration 0043).
  withoutStudents: number
}

export function createTrailRepository(db: Queryable) {
  const { all, first } = queriesOf(db)
  return {
    // Index: audit_events_at, audit_events_action with one action, audit_events_student with a student.
    async list(selection: TrailSelection, limit: number): Promise<TrailRow[]> {
      const result = await sql<TrailRow>`
        select e.id, e.at, e.action, e.actor, coalesce(a.display_name, '') as actor_name, e.client_address, e.user_agent, e.request_id, e.student_id,
          s.last_name || ', ' || s.first_name as student_name,
          e.subject, e.fields, e.affected, e.detail, v.event_id is not null as has_values
        from audit_events e
          left join admins a on a.id = e.admin_id
          left join students s on s.id = e.student_id
          left join audit_values v on v.event_id = e.id
        where ${condition(selection)}
        order by e.at desc, e.id desc
        limit ${limit}`.execute(db)
      return result.rows
    },

    // Accounts of all components need no query, because the record may be deleted. Index: the primary key.
    async isInScope(studentId: string, access: Access): Promise<boolean> {
      const scope = inScope(access)
      if (!scope) return true
      const rows = await all`select from students where id = ${studentId} and ${scope}`
      return rows.length > 0
    },

    // Primary keys.
    async findValues(id: string): Promise<ChangedValues | undefined> {
      const result = await sql<ChangedValues>`
        select e.action, e.student_id, e.affected, v.before, v.after
        from audit_events e join audit_values v on v.event_id = e.id
        where e.id = ${id}`.execute(db)
      return result.rows[0]
    },

    // Index: audit_events_at.
    async deleteBefore(instant: Date, limit: number): Promise<number> {
      const rows = await all<{ removed: number }>`
        select expire_audit_events(${instant}::timestamptz, ${limit}::integer) as removed`
      return rows[0]?.removed ?? 0
    },

    // Index: audit_chain_pkey.
    head: () => first<{ position: number; hash: string }>`
        select position::int as position, encode(hash, 'hex') as hash
        from audit_chain order by position desc limit 1`,

    async verify(): Promise<ChainReport> {
      // Reads the whole trail. Entries without a link, or links without an entry that didn't expire, were removed.
      const rows = await all<ChainReport>`
        with links as (
          select c.position, c.event_id, c.at, c.digest, c.hash, lag(c.hash) over w as previous,
            lag(c.position) over w as position_before
          from audit_chain c window w as (order by c.position)
        ), expiry as (
          select coalesce(max((detail ->> 'before')::timestamptz), '-infinity') as until
          from audit_events where action = 'audit-expired'
        ), exception as (
          -- The earliest of them: who can only add entries can't extend it.
          select coalesce((
            select (e.detail ->> 'position')::bigint
            from audit_events e join audit_chain c on c.event_id = e.id
            where e.action = 'audit-exception' order by c.position limit 1
          ), 0) as until
        ), compared as (
          select l.*, e.id is null as is_gone, expiry.until as expired_until, l.digest = audit_digest(e) as is_covered,
            e.action in ('students-exported', 'students-printed') and l.position <= exception.until
              and l.digest = audit_digest_without_students(e) as is_excepted
          from links l left join audit_events e on e.id = l.event_id cross join expiry cross join exception
        ), checked as (
          select position, hash, is_excepted and not is_covered as is_without_students, case
            when position_before is null and position > 1 then is_gone and at < expired_until
            else position = coalesce(position_before, 0) + 1 and hash = audit_link_hash(previous, digest, at)
              and case when is_gone then at < expired_until else is_covered or is_excepted end
            end as is_intact
          from compared
        )
        select count(*)::int as links, encode((array_agg(hash order by position desc))[1], 'hex') as head,
          coalesce(max(position), 0)::int as position,
          (count(*) filter (where not is_intact))::int as broken,
          coalesce((array_agg(position::int order by position) filter (where not is_intact))[1:${maxNamed}::int], '{}')
            as broken_at,
          (count(*) filter (where is_intact and is_without_students))::int as without_students,
          (select count(*)::int from audit_events e
            where not exists (select from audit_chain c where c.event_id = e.id)) as unlinked
        from checked`
      const [report] = rows
      if (!report) throw new Error('The check of the audit trail gave no row.')
      return report
    },
  }
}

/** Privacy: whether an account of some components sees all of an entry; one about several names students of others. */
export function isAboutOne(
  entry: Pick<TrailRow, 'studentId' | 'affected'>,
  studentId: string | null,
): boolean {
  return entry.affected === 1 && entry.studentId === studentId
}

function condition(selection: TrailSelection) {
  const { access, actions, exceptActions, studentId, search, from, until, after } = selection
  // Here and below, what isn't shown isn't found.
  const address = access.can('audit') ? sql`e.client_address` : sql`null`
  // The same condition as `isAboutOne`.
  const subject =
    access.components === 'all'
      ? sql`e.subject`
      : sql`case when e.affected = 1 and e.student_id = ${studentId}::uuid then e.subject end`
  return allOf(
    actions ? sql`e.action = any(${[...actions]}::text[])` : undefined,
    exceptActions.length > 0 ? sql`e.action <> all(${[...exceptActions]}::text[])` : undefined,
    // An entry about many names them in audit_students; index: audit_students_student. As one list of ids and not by
    // `or`, for which every entry there is would be read.
    studentId
      ? sql`e.id in (
          select id from audit_events where student_id = ${studentId}
          union all select event_id from audit_students where student_id = ${studentId}
        )`
      : undefined,
    search === ''
      ? undefined
      : sql`strpos(lower(concat_ws(E'\n', e.actor, a.display_name, ${address}, ${subject}, e.request_id)),
          lower(${search}::text)) > 0`,
    from ? sql`e.at >= ${from}` : undefined,
    until ? sql`e.at < ${until}` : undefined,
    isBehind(after, 'e.at', 'e.id'),
  )
}
