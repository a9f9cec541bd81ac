import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import { buildStoredMessage } from '#tests/factories/stored-batch.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { buildStudentRecord } from '#tests/factories/student-record.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminPassword } from '#tests/setup/administrator.ts'
import { makePaper } from '#tests/setup/papers.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const unknownId = '0198f4b2-0000-7000-8000-000000000000'

const now = new Date('2026-11-20T02:00:00Z')
const app = startStudentsServer({ now })

async function storePair() {
  const target = await storeStudent(app.database, {
    lastName: 'Cruz',
    email: 'cruz@school.example',
    studentId: '',
    yearLevel: 1,
  })
  const dropped = await storeStudent(app.database, {
    lastName: 'dela Cruz',
    email: 'dela.cruz@school.example',
    studentId: '2026-00123',
    yearLevel: 2,
  })
  return { target, dropped, ids: { keepId: target.id, dropId: dropped.id, keepVersion: 1, dropVersion: 1 } }
}
const remaining = () => app.database.db.selectFrom('students').selectAll().execute()

describe('merging', () => {
  test('updates one record with the chosen fields of the other, which is deleted', async () => {
    const { target, dropped, ids } = await storePair()
    const take = { lastName: 'keep', studentId: 'drop', yearLevel: 'drop', email: 'keep' }
    const response = await app.admin.call('POST', '/students/merge', { ...ids, take })
    expect(response.status).toBe(200)
    expect(response.headers.get('ETag')).toBe('"2"')
    expect(await response.json()).toMatchObject({
      id: target.id,
      reference: target.reference,
      lastName: 'Cruz',
      email: target.email,
      studentId: dropped.studentId,
      yearLevel: 2,
      version: 2,
    })
    expect((await remaining()).map(({ id }) => id)).toEqual([target.id])
  })

  test('accepts any field of the other', async () => {
    const fields = buildStudentRecord()
    const values = Object.fromEntries(studentFieldNames.map((field) => [field, fields[field]]))
    const target = await storeStudent(app.database)
    const dropped = await storeStudent(app.database, values)
    const take = Object.fromEntries(studentFieldNames.map((field) => [field, 'drop']))
    const ids = { keepId: target.id, keepVersion: 1, dropId: dropped.id, dropVersion: 1 }
    const merged = await app.admin.call('POST', '/students/merge', { ...ids, take })
    expect(await merged.json()).toMatchObject({ ...values, id: target.id, reference: target.reference })
  })

  test('moves the mail of the deleted record to the other: queued mail is still sent', async () => {
    const { target, dropped, ids } = await storePair()
    const { db } = app.database
    const message = buildStoredMessage({ kind: 'welcome', state: 'queued', studentId: dropped.id })
    await db.insertInto('mailMessages').values(message).execute()
    expect((await app.admin.call('POST', '/students/merge', { ...ids, take: {} })).status).toBe(200)
    const rows = await db.selectFrom('mailMessages').select(['id', 'state', 'studentId']).execute()
    expect(rows).toEqual([{ id: message.id, state: 'queued', studentId: target.id }])
  })

  test('moves who is left out of a paper, but not beside an answer about the other, or out of a pair; undone, back', async () => {
    const { target, dropped, ids } = await storePair()
    const { db } = app.database
    const papers = await Promise.all(['One', 'Two', 'Three'].map((title) => makePaper(app.admin, { title })))
    const [one, two, three] = papers.map(({ id }) => id)
    const answer = async (
      paper: string | undefined,
      code: string,
      { id }: { id: string },
      value = 'left out',
    ) => {
      const body = { code, subjects: [id], answer: value, reason: `${code} of a paper` }
      expect((await app.admin.call('PUT', `/papers/${paper}/answers`, body)).status).toBe(204)
    }
    await answer(one, 'K16', dropped)
    await answer(one, 'K12', dropped, 'meant')
    await answer(two, 'K16', dropped)
    await answer(two, 'K10', target)
    await answer(three, 'K03', dropped)
    const answers = async () => {
      const rows = await db
        .selectFrom('paperAnswers')
        .select(['paperId', 'code', 'subject', 'reason'])
        .execute()
      return rows
        .map(({ paperId, code, subject, reason }) =>
          [
            ['one', 'two', 'three'][papers.findIndex(({ id }) => id === paperId)],
            ...[subject === target.id ? 'kept' : 'dropped', reason === `${code} of a paper` && code],
          ].join(' '),
        )
        .sort()
    }
    expect((await app.admin.call('POST', '/students/merge', { ...ids, take: {} })).status).toBe(200)
    expect(await answers()).toEqual(['one kept K16', 'two kept K10'])
    expect((await app.admin.call('POST', `/students/${dropped.id}/restore`)).status).toBe(204)
    expect(await answers()).toEqual(['one dropped K16', 'two kept K10'])
  })

  test('leaves what changed in the audit trail, and no value of the other record', async () => {
    const { target, dropped, ids } = await storePair()
    await app.admin.call('POST', '/students/merge', { ...ids, take: { studentId: 'drop', religion: 'drop' } })
    expect(await app.trail.entries()).toMatchObject([
      {
        action: 'students-merged',
        studentId: target.id,
        subject: target.reference,
        fields: ['studentId'],
        affected: 2,
        detail: { dropped: dropped.reference },
      },
    ])
    expect(await app.trail.values()).toMatchObject([
      { studentId: target.id, before: { studentId: '' }, after: { studentId: '2026-00123' } },
    ])
    expect(JSON.stringify(await app.trail.values())).not.toContain(dropped.lastName)
  })

  test('can be undone: both records, and the mail of each, are as before', async () => {
    const { target, dropped, ids } = await storePair()
    const { db } = app.database
    for (const studentId of [target.id, dropped.id]) {
      const message = buildStoredMessage({ kind: 'welcome', state: 'sent', studentId })
      await db.insertInto('mailMessages').values(message).execute()
    }
    const mail = () => db.selectFrom('mailMessages').select(['id', 'studentId']).orderBy('id').execute()
    const before = { records: await remaining(), mail: await mail() }
    await app.admin.call('POST', '/students/merge', { ...ids, take: { studentId: 'drop', email: 'drop' } })
    expect((await app.admin.call('POST', `/students/${dropped.id}/restore`)).status).toBe(204)
    const byId = (rows: { id: string }[]) => rows.toSorted((one, other) => one.id.localeCompare(other.id))
    const after = (await remaining()).map((row) => (row.id === target.id ? { ...row, version: 1 } : row))
    expect(byId(after)).toEqual(byId(before.records))
    expect(await mail()).toEqual(before.mail)
    expect(await app.trail.actions()).toEqual(['students-merged', 'merge-undone'])
    // Once only.
    expect(await app.admin.refusal('POST', `/students/${dropped.id}/restore`)).toMatchObject({ status: 404 })
  })

  test('leaves the other record for ten minutes, then nothing of it', async () => {
    const { dropped, ids } = await storePair()
    const kept = async () =>
      JSON.stringify(await app.database.db.selectFrom('undoableChanges').selectAll().execute())
    await app.admin.call('POST', '/students/merge', { ...ids, take: {} })
    now.setMinutes(now.getMinutes() + 9)
    await app.server.sweep()
    expect(await kept()).toContain(dropped.lastName)
    now.setMinutes(now.getMinutes() + 1)
    expect(await app.admin.refusal('POST', `/students/${dropped.id}/restore`)).toMatchObject({ status: 404 })
    await app.server.sweep()
    expect(await kept()).toBe('[]')
  })

  test('of merged records is remembered by their erasure, unless it was undone', async () => {
    const { db } = app.database
    const [first, second, third, undone] = [
      await storeStudent(app.database),
      await storeStudent(app.database),
      await storeStudent(app.database),
      await storeStudent(app.database),
    ]
    const merge = (keepId: string, dropId: string, keepVersion: number, dropVersion: number) =>
      app.admin.call('POST', '/students/merge', { keepId, dropId, keepVersion, dropVersion, take: {} })
    await merge(second.id, first.id, 1, 1)
    await merge(third.id, undone.id, 1, 1)
    await app.admin.call('POST', `/students/${undone.id}/restore`)
    await merge(third.id, second.id, 3, 2)
    // Its clock has moved since the sign-in.
    await app.admin.call('POST', '/session/proof', { password: adminPassword })
    await app.admin.call('DELETE', `/students/${third.id}`)
    expect(await db.selectFrom('erasures').selectAll().execute()).toHaveLength(3)
    expect((await remaining()).map(({ id }) => id)).toEqual([undone.id])
    expect(await db.selectFrom('undoableChanges').selectAll().execute()).toEqual([])
  })

  test('is not undone when the remaining record was changed since', async () => {
    const { target, dropped, ids } = await storePair()
    await app.admin.call('POST', '/students/merge', { ...ids, take: {} })
    await app.database.db.updateTable('students').set({ version: 3 }).where('id', '=', target.id).execute()
    expect(await app.admin.refusal('POST', `/students/${dropped.id}/restore`)).toMatchObject({ status: 409 })
    expect(await app.admin.refusal('POST', `/students/${target.id}/restore`)).toMatchObject({
      status: 404,
      detail: 'This merge can no longer be undone.',
    })
    expect(await remaining()).toHaveLength(1)
  })

  test.each(['keepVersion', 'dropVersion'])('is refused when the %s is outdated', async (version) => {
    const { ids } = await storePair()
    expect(await app.admin.refusal('POST', '/students/merge', { ...ids, [version]: 2, take: {} })).toEqual({
      status: 409,
      code: 'conflict',
      detail: 'Someone else changed this in the meantime. Please review the change and try again.',
    })
    expect(await remaining()).toHaveLength(2)
    expect(await app.trail.entries()).toEqual([])
  })

  test('of the same pair in both directions at once, one succeeds', async () => {
    const { target, dropped, ids } = await storePair()
    const turned = { ...ids, keepId: dropped.id, dropId: target.id }
    const answers = await Promise.all(
      [ids, turned, ids, turned].map((pair) =>
        app.admin.call('POST', '/students/merge', { ...pair, take: {} }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    expect(await remaining()).toHaveLength(1)
  })

  test('is refused when a record was deleted', async () => {
    const { ids } = await storePair()
    expect(
      await app.admin.refusal('POST', '/students/merge', { ...ids, dropId: unknownId, take: {} }),
    ).toMatchObject({ status: 404, detail: 'Student not found' })
    expect(await remaining()).toHaveLength(2)
  })

  test.each<[object, string]>([
    [{ keepId: 'x' }, 'Please send the ids of two students.'],
    [{ dropVersion: 0 }, 'Please send the versions that you saw.'],
    [{ keepVersion: '1' }, 'Please send the versions that you saw.'],
    [{ take: { lastName: 'both' } }, "Please choose 'keep' or 'drop' for each field."],
    [{ take: { archived: 'keep' } }, "Please choose 'keep' or 'drop' for fields of a student's record."],
  ])('refuses %j', async (change, detail) => {
    const { ids } = await storePair()
    expect(await app.admin.refusal('POST', '/students/merge', { ...ids, take: {}, ...change })).toMatchObject(
      {
        status: 422,
        code: 'invalid',
        detail,
      },
    )
  })

  test('refuses to merge a record with itself', async () => {
    const { ids } = await storePair()
    expect(
      await app.admin.refusal('POST', '/students/merge', { ...ids, dropId: ids.keepId, take: {} }),
    ).toMatchObject({ status: 422, detail: 'Please send the ids of two students.' })
  })

  test('is refused without a session', async () => {
    expect(await createAdminClient(app.server, '').refusal('POST', '/students/merge')).toEqual({
      status: 401,
      code: 'unauthenticated',
      detail: 'Authentication required. Please login as admin.',
    })
  })
})

/** Every column that holds the ids of students, and what a merge does with the rows of the record that is deleted. */
const columnsOfStudents: Record<string, string> = {
  'attendance.student_id': 'moved: of one day the kept record’s row stays',
  'attendance_calls.student_id': 'moved',
  'audit_events.student_id': 'stays: what was done to the record is found by the ids of merged ones',
  'audit_students.student_id': 'stays, as that',
  'audit_values.student_id': 'goes: older values of a deleted record are lost',
  'certificates.student_id': 'moved',
  'credits.student_id': 'moved',
  'different_students.first_id': 'goes: a mark of two records as different people',
  'different_students.second_id': 'goes, as that',
  'enrolments.student_id': 'moved',
  'former_references.student_id': 'moved, with the code of the deleted record',
  'import_rows.record_id': 'moved, of lists; rows that wrote a record stay with it',
  'mail_bounces.student_id': 'moved',
  'mail_messages.rejected_id': 'stays: of a rejected record, which is no student',
  'mail_messages.student_id': 'moved',
  'paper_answers.subject':
    'moved, of who is left out of a paper; what is meant so goes, as it is about the values',
  'paper_rows.student_id': 'moved',
  'rejected_students.id': 'stays, as that',
  'student_keys.student_id': 'goes: a slip and a mailed code are of the deleted record',
  'student_requests.student_id': 'moved',
  'student_search.id': 'goes with its record',
  'student_sessions.student_id': 'goes: the student enters again',
  'undoable_changes.student_id': 'stays: an earlier change of the record can’t be undone any more',
}

test('every table with ids of students is moved by a merge, or named here with the reason', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and (udt_name = 'uuid'
      and (column_name in ('student_id', 'record_id', 'rejected_id', 'first_id', 'second_id')
        or column_name = 'id' and table_name in ('rejected_students', 'student_search'))
      or table_name = 'paper_answers' and column_name = 'subject')
    order by 1`.execute(app.database.db)
  const names = rows.map(({ name }) => name)
  expect(names.filter((name) => !(name in columnsOfStudents))).toEqual([])
  const referring = await sql<{ name: string }>`
    select conrelid::regclass || '.' || attname as name
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where confrelid = 'students'::regclass and contype = 'f'`.execute(app.database.db)
  expect(referring.rows.map(({ name }) => name).filter((name) => !(name in columnsOfStudents))).toEqual([])
})
