import type { APIRequestContext } from '@playwright/test'
import type { NewPaper } from '#shared/papers/papers.ts'
import type { Paper, PaperCheck } from '#shared/papers/papers-response.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'

const term = "'0198f4b2-0000-7000-8000-00000000c001'"

/** Those whose last names begin so passed both levels in the only term. */
export async function storeGraduates(dataDir: string, lastName: string): Promise<void> {
  await queryDatabase(
    dataDir,
    `delete from enrolments; delete from sections; delete from terms;
    insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
      values (${term}, '2026-2027', 2, '2027-01-11', '2027-05-28', 'closed', now());
    insert into enrolments (id, term_id, student_id, component, level, status_on, entry, mark, outcome)
      select gen_random_uuid(), ${term}, id, nstp_component, level, '2027-01-11', 'new', '1.25', 'passed'
      from students, unnest(array[1, 2]) level where last_name like '${lastName}%'`,
  )
}

/** Without the findings of a check that stop nothing. */
export async function freezePaper(request: APIRequestContext, wanted: NewPaper): Promise<Paper> {
  const made: Paper = await send(request, '', wanted)
  const { basis }: PaperCheck = await send(request, `/${made.id}/check`, {})
  return await send(request, `/${made.id}/freeze`, { basis }, made)
}

export async function sendPaper(request: APIRequestContext, paper: Paper): Promise<Paper> {
  return await send(request, `/${paper.id}/state`, { state: 'sent', on: '2026-05-28', note: '' }, paper)
}

async function send<T>(request: APIRequestContext, path: string, data: object, seen?: Paper): Promise<T> {
  const headers = seen ? { 'If-Match': `"${seen.version}"` } : {}
  const answer = await request.post(`/api/papers${path}`, { data, headers })
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`)
  return await answer.json()
}
