import type { APIRequestContext } from '@playwright/test'
import { defaultOptions, type NewPaper } from '#shared/papers/papers.ts'
import type { Paper, PaperCheck, PaperRows } from '#shared/papers/papers-response.ts'
import type { EnrolmentItem } from '#shared/terms/enrolments-response.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { toCsv } from '#tests/factories/spreadsheet.ts'

async function read<T>(request: APIRequestContext, path: string): Promise<T> {
  const answer = await request.get(`/api${path}`)
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`)
  return await answer.json()
}

/** All items of a list that comes in pages. */
async function readAll<T>(request: APIRequestContext, path: string): Promise<T[]> {
  const items: T[] = []
  for (let page = 1; ; page += 1) {
    const answer = await read<{ items: T[]; total: number }>(request, `${path}&pageSize=200&page=${page}`)
    items.push(...answer.items)
    if (items.length >= answer.total || answer.items.length === 0) return items
  }
}

/** Of the students of the open term: by their order in the list. */
const differing = { missing: [10, 110, 210, 310], misspelled: [50, 250, 450], elsewhere: [90, 290] }

/** The registrar's list of the open term, with what an office has to decide about. */
export async function writeRegistrarList(request: APIRequestContext) {
  const { items } = await read<{ items: Term[] }>(request, '/terms')
  const term = items.find(({ state }) => state === 'open')
  const enrolled = await readAll<EnrolmentItem>(request, `/terms/${term?.id}/enrolments?search=`)
  const listed = enrolled
    .map((enrolment, index) => ({ ...enrolment, index }))
    .filter(({ index }) => !differing.missing.includes(index))
  const rows = listed.map(({ index, component, student: { studentId, lastName, firstName, middleName } }) => {
    const isMisspelled = differing.misspelled.includes(index)
    return {
      'Student Number': isMisspelled ? '' : studentId,
      Name: `${lastName}${isMisspelled ? 'h' : ''}, ${firstName} ${middleName}`.toUpperCase(),
      Component: differing.elsewhere.includes(index) ? otherThan(component) : component,
    }
  })
  const stranger = { 'Student Number': '2019-00001', Name: 'ZUÑIGASANTOS, YOLANDA', Component: 'CWTS' }
  return {
    file: toCsv([...rows, stranger]),
    elsewhere: differing.elsewhere.length,
    becoming: listed.filter(({ officialAt }) => officialAt === null).length,
  }
}

const otherThan = (component: string) => (component === 'CWTS' ? 'ROTC' : 'CWTS')

const rotcPaper: NewPaper = {
  layout: 'ched-workbook',
  academicYear: '2025-2026',
  termId: null,
  components: ['ROTC'],
  options: { ...defaultOptions, listsRotc: true },
  title: 'Graduates of ROTC',
  dueOn: null,
  note: '',
}

/** A paper that was accepted, and the file that came back for it. */
export async function takeBackPaper(request: APIRequestContext) {
  async function send<T>(path: string, data: object, seen?: Paper): Promise<T> {
    const headers = seen ? { 'If-Match': `"${seen.version}"` } : {}
    const answer = await request.post(`/api/papers${path}`, { data, headers })
    if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`)
    return await answer.json()
  }
  const made = await send<Paper>('', rotcPaper)
  const { findings } = await send<PaperCheck>(`/${made.id}/check`, {})
  for (const { code, people } of findings.filter(({ severity }) => severity === 'stop')) {
    const subjects = [...new Set(people.flatMap(({ ids }) => ids.slice(-1)))]
    await request.put(`/api/papers/${made.id}/answers`, {
      data: { code, subjects, answer: 'left out', reason: 'Asked the registrar' },
    })
  }
  const { basis } = await send<PaperCheck>(`/${made.id}/check`, {})
  let paper = await send<Paper>(`/${made.id}/freeze`, { basis }, made)
  for (const state of ['sent', 'accepted'])
    paper = await send<Paper>(`/${made.id}/state`, { state, on: '2026-06-09', note: '' }, paper)
  const items = await readAll<PaperRows['items'][number]>(request, `/papers/${made.id}/rows?list=graduates`)
  const rows = items.map(({ cells }, index) => ({
    'NSTP SERIAL NUMBER': `RO-R03-${200_001 + index} (Res)`,
    'LAST NAME': cells[5] ?? '',
    'FIRST NAME': cells[6] ?? '',
    'EXTENSION NAME': cells[7] ?? '',
    'MIDDLE NAME': cells[8] ?? '',
    BIRTHDATE: cells[9] ?? '',
  }))
  return { title: paper.title, count: rows.length, file: toCsv(rows) }
}
