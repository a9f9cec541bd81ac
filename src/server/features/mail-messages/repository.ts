import { type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import type { MailContent } from '#server/mail/mail-content.ts'
import type { BatchText } from '#server/mail/rendering/render.ts'
import type { Place } from '#server/place-cursor.ts'
import type { MailKind, MailState } from '#shared/mail.ts'

/** A message of the ledger, as far as tables show it. */
export interface MessageRow {
  id: string
  kind: MailKind
  batchId: string | null
  studentId: string | null
  recipient: string
  firstName: string
  lastName: string
  reference: string
  subject: string
  state: MailState
  createdAt: Date
  attempts: number
  endedAt: Date | null
  notBefore: Date
  failure: string
}

/** What narrows messages down. */
export interface MessageFilters {
  state: MailState | null
  /** Part of an address, of a name or of a subject; '' for all. */
  search: string
}

/** A message with all that rendering needs. */
export type StoredMessage = MessageRow & { content: MailContent; batch: BatchText | null }

const columns = sql`
  m.id, m.kind, m.batch_id, m.student_id, m.recipient, m.subject, m.state, m.created_at, m.attempts, m.ended_at,
  m.not_before, m.failure,
  coalesce(m.content -> 'values' ->> 'firstName', '') as first_name,
  coalesce(m.content -> 'values' ->> 'lastName', '') as last_name,
  coalesce(m.content -> 'values' ->> 'reference', '') as reference`

/** Where messages are read. */
export function createMessagesRepository(db: Queryable) {
  return {
    /**
     * The history, newest first. Index: mail_messages_created; mail_messages_unknown with that state. What few
     * messages pass is looked for in all of them: a tenth of a second for 200,000.
     */
    async history(
      { kind, after, ...filters }: MessageFilters & { kind: MailKind | null; after: Place | null },
      limit: number,
    ): Promise<MessageRow[]> {
      const result = await sql<MessageRow>`
        select ${columns} from mail_messages m
        where ${all([
          ...narrowed(filters),
          kind === null ? undefined : sql<SqlBool>`m.kind = ${kind}`,
          after === null
            ? undefined
            : sql<SqlBool>`(m.created_at, m.id) < (${after.at}::timestamptz, ${after.id}::uuid)`,
        ])}
        order by m.created_at desc, m.id desc
        limit ${limit}`.execute(db)
      return result.rows
    },

    /** The messages of a batch in the order of its list. Index: mail_messages_batch. */
    async ofBatch(
      batchId: string,
      { afterId, ...filters }: MessageFilters & { afterId: string | null },
      limit: number,
    ): Promise<MessageRow[]> {
      const result = await sql<MessageRow>`
        select ${columns} from mail_messages m
        where ${all([
          sql<SqlBool>`m.batch_id = ${batchId}`,
          ...narrowed(filters),
          afterId === null ? undefined : sql<SqlBool>`m.id > ${afterId}::uuid`,
        ])}
        order by m.id
        limit ${limit}`.execute(db)
      return result.rows
    },

    /** How many messages of a batch the filters show. Index: mail_messages_batch. */
    async countOfBatch(batchId: string, filters: MessageFilters): Promise<number> {
      const condition = all([sql<SqlBool>`m.batch_id = ${batchId}`, ...narrowed(filters)])
      const result = await sql<{ count: number }>`
        select count(*)::int as count from mail_messages m where ${condition}`.execute(db)
      return result.rows[0]?.count ?? 0
    },

    /** One message, with its batch's text. Primary keys. */
    async find(id: string): Promise<StoredMessage | undefined> {
      const result = await sql<MessageRow & { content: MailContent } & Nullable<BatchText, 'batchKind'>>`
        select ${columns}, m.content,
          b.kind as batch_kind, b.template, b.body, b.body_format, b.announcement_id
        from mail_messages m left join mail_batches b on b.id = m.batch_id
        where m.id = ${id}`.execute(db)
      const [row] = result.rows
      if (!row) return undefined
      const { batchKind, template, body, bodyFormat, announcementId, ...message } = row
      if (batchKind === null || template === null || body === null || bodyFormat === null) {
        return { ...message, batch: null }
      }
      return { ...message, batch: { kind: batchKind, template, body, bodyFormat, announcementId } }
    },

    /** Whether there is a batch. Primary key. */
    async hasBatch(id: string): Promise<boolean> {
      const found = await db.selectFrom('mailBatches').select('id').where('id', '=', id).executeTakeFirst()
      return found !== undefined
    },
  }
}

/** What a batch's text is where there may be no batch; its kind under another name. */
type Nullable<Text extends { kind: unknown }, Kind extends string> = {
  [Field in Exclude<keyof Text, 'kind'>]: Text[Field] | null
} & { [Field in Kind]: Text['kind'] | null }

function narrowed({ state, search }: MessageFilters) {
  return [
    state === null ? undefined : sql<SqlBool>`m.state = ${state}`,
    search === ''
      ? undefined
      : sql<SqlBool>`strpos(m.search_text, lower(normalize(${search}::text, NFC))) > 0`,
  ]
}

function all(conditions: (ReturnType<typeof sql<SqlBool>> | undefined)[]) {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length === 0 ? sql<SqlBool>`true` : sql.join(given, sql` and `)
}
