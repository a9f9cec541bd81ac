import { readContent } from '#server/features/papers/content.ts'
import { createPapersRepository } from '#server/features/papers/repository.ts'
import { officeItself } from '#server/lib/access.ts'
import { defaultOptions, type NewPaper } from '#shared/papers/papers.ts'
import type { Paper } from '#shared/papers/papers-response.ts'
import type { Settings } from '#shared/settings/settings.ts'
import type { createAdminClient } from './admin-client.ts'
import type { TestServer } from './test-server.ts'

type Caller = Pick<ReturnType<typeof createAdminClient>, 'call'>

/** The CHED workbook of 2026-2027, of all components. */
export const chedPaper: NewPaper = {
  layout: 'ched-workbook',
  academicYear: '2026-2027',
  termId: null,
  components: ['ROTC', 'CWTS', 'LTS'],
  options: defaultOptions,
  title: '',
  dueOn: null,
  note: '',
}

/** Without which no paper can be frozen. */
export async function setOffice(by: Caller): Promise<void> {
  const { version, office } = await (await by.call('GET', '/settings')).json()
  if (office.region !== '') return
  const change = {
    schoolName: 'Baliuag College',
    office: { ...office, heiType: 'PRIVATE', region: '03-Central Luzon' },
  }
  const answer = await by.call('PATCH', '/settings', change, { 'If-Match': `"${version}"` })
  if (answer.status !== 200) throw new Error(await answer.text())
}

export async function makePaper(by: Caller, change: Partial<NewPaper> = {}): Promise<Paper> {
  const answer = await by.call('POST', '/papers', { ...chedPaper, ...change })
  if (answer.status !== 201) throw new Error(await answer.text())
  return await answer.json()
}

/** Of a draft as it is now. */
export async function contentOf({ database: { db } }: TestServer, by: Caller, id: string) {
  const paper = await createPapersRepository(db, officeItself).find(id)
  if (!paper) throw new Error('there is no such paper')
  const settings: Settings = await (await by.call('GET', '/settings')).json()
  return await readContent(db, officeItself, paper, settings)
}

/** What a check would tell of it. */
export async function basisOf(server: TestServer, by: Caller, id: string): Promise<string> {
  return (await contentOf(server, by, id)).basis
}

/** Without the findings of a check. */
export async function freezePaper(
  server: TestServer,
  by: Caller,
  { id, version }: Pick<Paper, 'id' | 'version'>,
): Promise<Paper> {
  const basis = await basisOf(server, by, id)
  const answer = await by.call('POST', `/papers/${id}/freeze`, { basis }, { 'if-match': `"${version}"` })
  if (answer.status !== 200) throw new Error(await answer.text())
  return await answer.json()
}
