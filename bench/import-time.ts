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

async function buildFile(rows: number): Promise<string> {
  const towns = await loadTowns()
  const random = createRandom(7)
  const quote = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`
  const lines = Array.from({ length: rows }, (_, index) => {
    const registration = {
      ...generateRegistration(random, index, { day, academicYear, towns }),
      email: `imported${index}@student.example`,
      studentId: '',
    }
    return studentFieldNames.map((field) => quote(registration[field])).join(',')
  })
  return [studentFieldNames.map((field) => quote(importFieldLabel(field))).join(','), ...lines].join('\r\n')
}

/** Imports a file through the API, from the upload to the records, while another client pages through the list. */
export async function timeImport(port: number, cookie: string, rows: number): Promise<ImportTimes> {
  const base = `http://127.0.0.1:${port}/api`
  const file = await buildFile(rows)

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
  const uploaded = await readImport(call('/imports?fileName=bench.csv', { method: 'POST', body: file }))
  const read = performance.now()
  const columns = Object.fromEntries(uploaded.columns.map(({ guess }, index) => [index, guess]))
  await call(`/imports/${uploaded.id}/mapping`, asJson('PUT', { columns, consent: true }))
  await untilDone(uploaded.id)
  const checked = performance.now()
  await call(`/imports/${uploaded.id}/run`, { method: 'POST' })
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
