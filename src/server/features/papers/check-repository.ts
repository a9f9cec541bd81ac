import { sql } from 'kysely'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { PaperAnswer } from '#shared/papers/papers.ts'
import type { PaperLine, PaperRow } from './repository.ts'

type OwnPaper = Pick<PaperRow, 'id' | 'layout' | 'academicYear' | 'termId' | 'components' | 'follows'>

/** The caller has checked that the account may make the paper. */
export function createChecksRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    /** Maps each student to the title of another frozen paper of the layout that lists them as graduates. Index: paper_rows_pkey. */
    async listElsewhere({ id, layout }: OwnPaper): Promise<Map<string, string>> {
      const rows = await all<{ studentId: string; title: string }>`
        select student_id, title from papers join paper_rows on paper_id = papers.id and list = 'graduates'
        where layout = ${layout} and state in ('frozen', 'sent', 'accepted') and papers.id <> ${id}
          and student_id is not null`
      return new Map(rows.map(({ studentId, title }) => [studentId, title]))
    },

    /** Maps the first day of each term to the last time that enrolments in it became official. Index: enrolments_term. */
    async listRegistrarDays(academicYear: string): Promise<Map<string, Date>> {
      const rows = await all<{ startsOn: string; at: Date }>`
        select starts_on::text, max(official_at) as at from terms join enrolments on term_id = terms.id
        where academic_year = ${academicYear} and official_at is not null
        group by terms.id`
      return new Map(rows.map(({ startsOn, at }) => [startsOn, at]))
    },

    /** The one that it corrects, or the last of its kind. Index: papers_year. */
    async findBefore(paper: OwnPaper): Promise<Pick<PaperRow, 'id' | 'definition'> | undefined> {
      const kind = sql<boolean>`layout = ${paper.layout} and academic_year = ${paper.academicYear}
        and term_id is not distinct from ${paper.termId} and components = ${[...paper.components]}::text[]`
      return await db
        .selectFrom('papers')
        .select(['id', 'definition'])
        .where('state', '<>', 'draft')
        .where('id', '<>', paper.id)
        .where(paper.follows === null ? kind : sql<boolean>`id = ${paper.follows}`)
        .orderBy('frozenAt', 'desc')
        .limit(1)
        .executeTakeFirst()
    },

    /** Rows of people who were erased have no student. Index: paper_rows_pkey. */
    listCells: (paperId: string): Promise<Pick<PaperLine, 'list' | 'studentId' | 'cells'>[]> =>
      db
        .selectFrom('paperRows')
        .select(['list', 'studentId', 'cells'])
        .where('paperId', '=', paperId)
        .where('list', '<>', 'unlisted')
        .execute(),

    async saveAnswers(
      paperId: string,
      subjects: readonly string[],
      answer: { code: string; answer: PaperAnswer; reason: string; byId: string | null; at: Date },
    ): Promise<void> {
      await sql`
        insert into paper_answers (paper_id, code, subject, answer, reason, by_id, at)
        select ${paperId}, ${answer.code}, subject, ${answer.answer}, ${answer.reason}, ${answer.byId}::uuid, ${answer.at}
        from unnest(${[...new Set(subjects)]}::text[]) subject
        on conflict (paper_id, code, subject) do update
          set answer = excluded.answer, reason = excluded.reason, by_id = excluded.by_id, at = excluded.at`.execute(
        db,
      )
    },

    async deleteAnswers(paperId: string, code: string, subjects: readonly string[]): Promise<void> {
      await db
        .deleteFrom('paperAnswers')
        .where('paperId', '=', paperId)
        .where('code', '=', code)
        .where('subject', 'in', subjects)
        .execute()
    },
  }
}
