import { setTimeout as sleep } from 'node:timers/promises'
import { generateRegistration, loadTowns } from '#server/demo/generate-registration.ts'
import { createRandom } from '#server/demo/random.ts'
import type { ImportDetails } from '#shared/imports/import-response.ts'
import { importFieldLabel } from '#shared/imports/imports.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'

export interface ImportTimes {
  // In seconds.
  upload: number
  check: number
  run: number
  imported: number
  // In ms, of a hundred pages of the list read during the import.
  listP99: number
}

const pollEveryMs = 50
const academicYear = '2026-2027'
const day = '2024-06-10'

interface ImportedFile {
  content: string
  /** Which purpose it has; without it, new students. */
  query?: string
}

const quote = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`

export const csvOf = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) => row.map(quote).join(',')).join('\r\n')

/** Nobody of them is in the records. */
export async function generateStudents(count: number) {
  const towns = await loadTowns()
  const random = createRandom(7)
  return Array.from({ length: count }, (_, index) => ({
    ...generateRegistration(random, index, { day, academicYear, towns }),
    email: `imported${index}@student.example`,
    studentId: '',
  }))
}

export async function studentsFile(count: number): Promise<ImportedFile> {
  const students = await generateStudents(count)
  const rows = students.map((student) => studentFieldNames.map((field) => student[field]))
  return { content: csvOf([studentFieldNames.map(importFieldLabel), ...rows]) }
}

/** Imports a file through the API, from the upload to its end, while another client pages through the list. */
export async function timeImport(
  port: number,
  cookie: string,
  { content, query = '' }: ImportedFile,
): Promise<ImportTimes> {
  const base = `http://127.0.0.1:${port}/api`

  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(`${base}${path}`, { ...init, headers: { Cookie: cookie, ...init.headers } })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const readImport = async (answer: Promise<Response>): Promise<ImportDetails> => (await answer).json()
  const asJson = (method: string, body: unknown): RequestInit => ({
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

  async function untilDone(id: string): Promise<ImportDetails> {
    for (;;) {
      const details = await readImport(call(`/imports/${id}`))
      if (details.failure) throw new Error(details.failure)
      if (!details.progress) return details
      await sleep(pollEveryMs)
    }
  }

  const waits: number[] = []
  let isDone = false
  async function page(): Promise<void> {
    while (!isDone) {
      const start = performance.now()
      await (await call('/students')).text()
      waits.push(performance.now() - start)
      await sleep(pollEveryMs)
    }
  }

  const paging = page()
  const begin = performance.now()
  const uploaded = await readImport(
    call(`/imports?fileName=bench.csv${query}`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv' },
      body: content,
    }),
  )
  const read = performance.now()
  const columns = Object.fromEntries(uploaded.columns.map(({ guess }, index) => [index, guess]))
  await call(
    `/imports/${uploaded.id}/mapping`,
    asJson('PUT', { columns, ...(query === '' && { consent: true }) }),
  )
  await untilDone(uploaded.id)
  const checked = performance.now()
  await call(`/imports/${uploaded.id}/run`, asJson('POST', {}))
  const { importedCount } = await untilDone(uploaded.id)
  const end = performance.now()
  isDone = true
  await paging
  waits.sort((a, b) => a - b)
  return {
    upload: (read - begin) / 1000,
    check: (checked - read) / 1000,
    run: (end - checked) / 1000,
    imported: importedCount,
    listP99: waits[Math.floor(waits.length * 0.99)] ?? 0,
  }
}
