import { v7 as createId } from 'uuid'
import { buildRegistration } from '#tests/factories/registration.ts'
import { buildSheetRow, type SheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { type Act, type Answer, component, type Reads, type Walk } from './walk.ts'

export async function walkRecords(
  { act, actAs, server: { database }, academicYear, mark }: Walk,
  reads: Reads,
) {
  const store = async (change: Parameters<typeof storeStudent>[1] = {}) =>
    (
      await storeStudent(database, {
        academicYear,
        nstpComponent: component,
        email: `${createId()}@student.example`,
        ...change,
      })
    ).id
  const versionOf = async (id: string) =>
    (
      await database.db
        .selectFrom('students')
        .select('version')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).version
  const [id, second] = [await store(), await store()]
  const ids = [id, second]
  reads.id['/students/'] = id
  const enlisted = buildRegistration({ email: `${mark}@enlisted.example` })
  await actAs('')('POST /registrations', { body: enlisted })

  await act('GET /students/{id}', { id })
  await act('PATCH /students/{id}', { id, version: 1, body: { barangay: 'San Roque' } })
  await act('PUT /students/{id}/mail', { id, body: { announcements: false } })
  await act('POST /students/{id}/welcome-mail', { id })
  await act('POST /students/{id}/archive', { id })
  await act('POST /students/{id}/unarchive', { id })
  await act('POST /students/archive', { body: { ids } })
  await act('POST /students/unarchive', { body: { ids } })
  const change = { ids, field: 'yearLevel', value: '2nd Year' }
  await act('POST /students/changes/preview', { body: change })
  const changed = await act('POST /students/changes', { body: change })
  await act('POST /students/changes/{id}/undo', { id: changed.id })
  await act('PUT /students/seen')
  // Both outside a transaction, with more than one student.
  await act('POST /students/sheets', { body: { ids } })
  await act('POST /students/slips', { body: { ids } })
  await act('POST /students/prints', { body: { kind: 'sheet', count: 2, ids } })
  await act('POST /students/prints', { body: { kind: 'list', count: 1, ids: [id] } })
  await act('POST /students/export.xlsx', { body: { ids } })
  await act('POST /students/export.xlsx', { body: { ids: [id] } })

  const [keepId, dropId] = [
    await store({ lastName: `Twin${mark}` }),
    await store({ lastName: `Twin${mark}` }),
  ]
  await act('POST /students/duplicates/dismiss', { body: { ids: [keepId, dropId] } })
  const versions = { keepVersion: await versionOf(keepId), dropVersion: await versionOf(dropId) }
  await act('POST /students/merge', { body: { keepId, dropId, ...versions, take: {} } })
  await act('POST /students/{id}/restore', { id: dropId })

  // As many as administrators hear of.
  const fake = { ids: await Promise.all(Array.from({ length: 10 }, () => store())) }
  await act('POST /students/rejections/preview', { body: fake })
  const rejected = await act('POST /students/rejections', { body: fake })
  await act('POST /students/rejections/{id}/undo', { id: rejected.id })

  await act('PUT /students/{id}/restriction', { id: second, body: { restriction: 'blocked' } })
  await act('DELETE /students/{id}', { id: second })
  await store({ archived: true, archivedDate: new Date('2011-01-01') })
  await act('POST /retention/deletions', { body: { count: (await act('GET /retention')).count } })
}

/** @returns the import once its work has ended */
export async function workOf(act: Act, id: string): Promise<Answer> {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    const found = await act('GET /imports/{id}', { id })
    if (!found.progress) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the work on an import did not end')
}

export async function walkImport(
  act: Act,
  rows: readonly SheetRow[],
  query: Record<string, string>,
  mapping: object,
) {
  const bytes = toCsv(rows)
  const { id, columns } = await act('POST /imports', { query: { fileName: 'list.csv', ...query }, bytes })
  await act('PUT /imports/{id}/reading', { id, body: { sheets: 'one', hidden: false, others: false } })
  const named = Object.fromEntries(columns.map(({ guess }, index) => [index, guess]))
  await act('PUT /imports/{id}/mapping', { id, body: { columns: named, ...mapping } })
  await workOf(act, id)
  return {
    id,
    async run() {
      await workOf(act, id)
      await act('POST /imports/{id}/run', { id, body: { reason: 'As the office asked.' } })
      const { state } = await workOf(act, id)
      if (state !== 'imported') throw new Error(`the import of ${JSON.stringify(query)} is ${state}`)
    },
    undo: () => act('POST /imports/{id}/undo', { id, body: { evenChanged: true } }),
  }
}

export async function walkImports({ act, academicYear, mark }: Walk, reads: Reads) {
  const row = (change: object) =>
    buildSheetRow({
      academicYear,
      lastName: `Listed${mark}`,
      email: `${createId()}@student.example`,
      ...change,
    })
  const rows = [
    row({ studentId: `${mark}-1` }),
    row({ studentId: `${mark}-2`, firstName: 'Maria' }),
    row({ lastName: '' }),
  ]
  const first = await walkImport(act, rows, {}, { consent: true })
  reads.id['/imports/'] = first.id
  await act('PATCH /imports/{id}/rows', { id: first.id, body: { state: 'ready', decision: 'skip' } })
  await act('PATCH /imports/{id}/rows', { id: first.id, body: { state: 'skipped', decision: 'take' } })
  await act('PATCH /imports/{id}/rows/{number}', {
    id: first.id,
    body: { values: { barangay: 'San Roque' } },
  })
  await act('POST /imports/{id}/replacements', {
    id: first.id,
    body: { field: 'barangay', from: 'San Roque', to: 'Sabang' },
  })
  await first.run()
  const updates = rows
    .slice(0, 2)
    .map((one) => ({ 'Student ID': one['Student ID'] ?? '', Barangay: `Of ${mark}` }))
  const update = await walkImport(act, updates, {}, { updateBy: 'studentId' })
  await update.run()
  await update.undo()
  await first.undo()
  const other = await walkImport(act, rows, {}, { consent: true })
  await act('DELETE /imports/{id}', { id: other.id })
}
