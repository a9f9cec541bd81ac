import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { allOf, isUnrestricted } from '#server/database/conditions.ts'
import { countIn, queriesOf } from '#server/database/query.ts'
import type { PaperRowsTable, PapersTable, Queryable, TermsTable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { LayoutCode, PaperAnswer, PaperList } from '#shared/papers/papers.ts'
import type { Paper } from '#shared/papers/papers-response.ts'
import type { Semester } from '#shared/terms/terms.ts'

export type PaperRow = Selectable<PapersTable>
export type PaperLine = Selectable<PaperRowsTable>

export type GraduateLine = Pick<PaperLine, 'number' | 'serial' | 'cells'> & { studentId: string }

export interface ListedPaper
  extends PaperRow,
    Pick<Paper, 'createdBy' | 'frozenBy' | 'ownWorkbook' | 'rows' | 'graduates' | 'serials' | 'erased'> {
  semester: Semester | null
  followedTitle: string | null
}

export interface AnswerRow {
  code: string
  subject: string
  answer: PaperAnswer
  reason: string
}

const rowsAtOnce = 2_000

export type PapersRepository = ReturnType<typeof createPapersRepository>

/** Papers that are of no component beyond those of the account. */
export function createPapersRepository(db: Queryable, access: Access) {
  const { all } = queriesOf(db)
  const { components } = access
  const ownPapers: RawBuilder<SqlBool> | undefined =
    components === 'all' ? undefined : sql`papers.components <@ ${[...components]}::text[]`

  async function read(condition: RawBuilder<SqlBool>): Promise<ListedPaper[]> {
    return await all<ListedPaper>`
      select papers.*, semester, followed.title as followed_title, created.display_name as created_by,
        frozen.display_name as frozen_by, layout_bases.file_name as own_workbook, held.rows, held.graduates, held.serials, held.erased
      from papers
        left join terms on terms.id = papers.term_id
        left join layout_bases on layout_bases.id = papers.base_id
        left join papers followed on followed.id = papers.follows
        left join admins created on created.id = papers.created_by_id
        left join admins frozen on frozen.id = papers.frozen_by_id
        cross join lateral (
          select (count(*) filter (where list <> 'unlisted'))::int as rows,
            (count(*) filter (where list = 'graduates'))::int as graduates,
            (count(*) filter (where serial <> ''))::int as serials,
            (count(*) filter (where student_id is null))::int as erased
          from paper_rows where paper_id = papers.id
        ) held
      where ${allOf(condition, ownPapers)}
      order by papers.academic_year desc, papers.created_at desc, papers.id desc`
  }

  return {
    // Indexes: papers_year, paper_rows_pkey.
    list: (academicYear?: string): Promise<ListedPaper[]> =>
      read(academicYear === undefined ? sql`true` : sql`papers.academic_year = ${academicYear}`),

    // Indexes: papers_pkey, paper_rows_pkey.
    async find(id: string): Promise<ListedPaper | undefined> {
      const [paper] = await read(sql`papers.id = ${id}`)
      return paper
    },

    /** Frozen papers that list a student. Indexes: paper_rows_student, papers_pkey. */
    withStudent: (studentId: string) =>
      db
        .selectFrom('papers')
        .select(['id', 'title', 'state', 'sentOn', 'definition'])
        .where(
          allOf(
            sql`state <> 'draft'`,
            sql`id in (select paper_id from paper_rows where student_id = ${studentId} and list <> 'unlisted')`,
            ownPapers,
          ),
        )
        .orderBy('id')
        .execute(),

    /** Nobody else changes it, its rows or its answers meanwhile. Index: papers_pkey. */
    lock: (id: string): Promise<PaperRow | undefined> =>
      db
        .selectFrom('papers')
        .selectAll()
        .where(allOf(sql`id = ${id}`, ownPapers))
        .forUpdate()
        .executeTakeFirst(),

    /** Blocks other papers of the layout from being frozen until the transaction ends, so that no two list the same graduate. */
    lockLayout: (layout: LayoutCode) =>
      sql`select pg_advisory_xact_lock(hashtextextended(${`paper ${layout}`}, 0))`.execute(db),

    // Index: terms_pkey.
    findTerm: (id: string): Promise<Pick<Selectable<TermsTable>, 'academicYear' | 'semester'> | undefined> =>
      db.selectFrom('terms').select(['academicYear', 'semester']).where('id', '=', id).executeTakeFirst(),

    async insert(paper: Insertable<PapersTable>): Promise<void> {
      await db.insertInto('papers').values(paper).execute()
    },

    async update(id: string, change: Updateable<PapersTable>): Promise<void> {
      await db
        .updateTable('papers')
        .set({ ...change, version: sql`version + 1` })
        .where('id', '=', id)
        .execute()
    },

    async delete(id: string): Promise<void> {
      await db.deleteFrom('papers').where('id', '=', id).execute()
    },

    async insertRows(paperId: string, rows: readonly Omit<PaperLine, 'paperId' | 'serial'>[]): Promise<void> {
      for (let from = 0; from < rows.length; from += rowsAtOnce) {
        await sql`
          insert into paper_rows (paper_id, list, number, student_id, cells)
          select ${paperId}, list, number, "studentId", cells
          from jsonb_to_recordset(${JSON.stringify(rows.slice(from, from + rowsAtOnce))}::jsonb)
            as own(list text, number integer, "studentId" uuid, cells jsonb)`.execute(db)
      }
    },

    async deleteRows(paperId: string): Promise<void> {
      await db.deleteFrom('paperRows').where('paperId', '=', paperId).execute()
    },

    /** Lists rows in the paper's order. Index: paper_rows_pkey. */
    listRows: (
      paperId: string,
      list: PaperList,
      { after, limit }: { after: number; limit: number },
    ): Promise<PaperLine[]> =>
      db
        .selectFrom('paperRows')
        .selectAll()
        .where('paperId', '=', paperId)
        .where('list', '=', list)
        .where('number', '>', after)
        .orderBy('number')
        .limit(limit)
        .execute(),

    /** The graduates, without those who were erased, by the first cells alone. Index: paper_rows_pkey. */
    listGraduates: (paperId: string, cells: number) => all<GraduateLine>`
        select number, student_id, serial, jsonb_path_query_array(cells, ${`$[0 to ${cells - 1}]`}::jsonpath) as cells
        from paper_rows
        where paper_id = ${paperId} and list = 'graduates' and student_id is not null
        order by number`,

    // Index: paper_rows_pkey.
    countRows: (paperId: string, list: PaperList): Promise<number> =>
      countIn(db, sql`paper_rows where paper_id = ${paperId} and list = ${list}`),

    /** Counts the listed students whose records must not be passed on any more. Indexes: paper_rows_pkey, students_pkey. */
    async countBlocked(paperId: string): Promise<number> {
      const rows = await all<{ count: number }>`
        select count(distinct students.id)::int as count
        from paper_rows join students on students.id = paper_rows.student_id
        where paper_id = ${paperId} and list <> 'unlisted' and not ${isUnrestricted()}`
      return rows[0]?.count ?? 0
    },

    answers: (paperId: string): Promise<AnswerRow[]> =>
      db
        .selectFrom('paperAnswers')
        .select(['code', 'subject', 'answer', 'reason'])
        .where('paperId', '=', paperId)
        .orderBy('code')
        .orderBy('subject')
        .execute(),

    async copyAnswers(from: string, to: string): Promise<void> {
      await sql`
        insert into paper_answers (paper_id, code, subject, answer, reason, by_id, at)
        select ${to}, code, subject, answer, reason, by_id, at from paper_answers
        where paper_id = ${from}`.execute(db)
    },

    /** Graduates in papers of a layout that an agency has, and whether one lists them. Index: paper_rows_pkey. */
    async listSent(layout: LayoutCode): Promise<Map<string, boolean>> {
      const rows = await all<{ studentId: string; wasListed: boolean }>`
        select student_id, bool_or(list = 'graduates') as was_listed
        from papers
          left join lateral (
            select place::int - 1 as place
            from jsonb_array_elements_text(definition -> 'values') with ordinality as cell(value, place)
            where value = 'list'
          ) kind on true
          join paper_rows on paper_id = papers.id
        where layout = ${layout} and state in ('sent', 'accepted') and student_id is not null
          and (list = 'graduates' or list = 'unlisted' and cells ->> place = 'graduates')
        group by student_id`
      return new Map(rows.map(({ studentId, wasListed }) => [studentId, wasListed]))
    },
  }
}
