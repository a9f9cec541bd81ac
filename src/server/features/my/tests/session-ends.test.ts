import { expect, test } from 'vitest'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createStudentVisitor } from '#tests/setup/student-visitor.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer()

async function open(overrides = {}) {
  const record = await storeStudent(own.database, { registrationDate: new Date(), ...overrides })
  const student = createStudentVisitor(own.server)
  await student.open(record)
  expect(await student.step()).toBe('second')
  return { record, student }
}

async function done(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
  const answer = await own.admin.call(method, path, body, headers)
  expect([path, answer.ok, await answer.clone().text()]).toEqual([path, true, expect.anything()])
}

const ends: Record<string, (id: string) => Promise<void>> = {
  'a deletion': (id) => done('DELETE', `/students/${id}`),
  'a rejection': (id) => done('POST', '/students/rejections', { ids: [id] }),
  'a restriction': (id) => done('PUT', `/students/${id}/restriction`, { restriction: 'blocked' }),
  'a changed address': (id) =>
    done('PATCH', `/students/${id}`, { email: 'new@student.example' }, { 'If-Match': '"1"' }),
  'a new slip': (id) => done('POST', '/students/slips', { ids: [id] }),
  async 'a merge of another record into it'(keepId) {
    const { id: dropId } = await storeStudent(own.database)
    await done('POST', '/students/merge', { keepId, keepVersion: 1, dropId, dropVersion: 1, take: {} })
  },
  async 'a merge into another record'(dropId) {
    const { id: keepId } = await storeStudent(own.database)
    await done('POST', '/students/merge', { keepId, keepVersion: 1, dropId, dropVersion: 1, take: {} })
  },
}

test.each(Object.entries(ends))('a session of /my ends with %s, and no other does', async (_what, end) => {
  const { record, student } = await open({ lastName: 'Abad' })
  const { student: other } = await open({ lastName: 'Bautista' })
  await end(record.id)
  expect(await student.step()).toBe('none')
  expect((await student.call('GET', '/my/state')).status).toBe(401)
  expect(await other.step()).toBe('second')
})

test('none begins on a record that is changed at the same moment so that the entry is wrong', async () => {
  const enter = async (change: (id: string) => Promise<void>) => {
    const record = await storeStudent(own.database, { registrationDate: new Date() })
    const students = Array.from({ length: 10 }, () => createStudentVisitor(own.server))
    const [answers] = await Promise.all([
      Promise.all(students.map((student) => student.enter(record))),
      change(record.id),
    ])
    for (const answer of answers) {
      expect([201, 422, 429], await answer.clone().text()).toContain(answer.status)
    }
    const sessions = own.database.db.selectFrom('studentSessions').select('studentId')
    expect(await sessions.where('studentId', '=', record.id).execute()).toEqual([])
  }
  await enter((id) => done('DELETE', `/students/${id}`))
  await enter(async (dropId) => {
    const { id: keepId } = await storeStudent(own.database)
    await done('POST', '/students/merge', { keepId, keepVersion: 1, dropId, dropVersion: 1, take: {} })
  })
})

test('it does not end with another change of the record', async () => {
  const { record, student } = await open()
  await done('PATCH', `/students/${record.id}`, { barangay: 'San Roque' }, { 'If-Match': '"1"' })
  await done('POST', `/students/${record.id}/archive`)
  expect(await student.step()).toBe('second')
  expect(await (await student.call('GET', '/my/state')).json()).toMatchObject({ archived: true })
})

test('slips and codes go with the record', async () => {
  const { record } = await open()
  await done('DELETE', `/students/${record.id}`)
  expect(await own.database.db.selectFrom('studentKeys').selectAll().execute()).toEqual([])
})
