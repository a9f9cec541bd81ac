import { createCodeDigits } from '#server/features/mail/code-service.ts'
import { storeSentMessage } from '#tests/factories/sent-message.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createStudentVisitor } from '../student-visitor.ts'
import { testSecretKey } from '../test-server.ts'
import type { Reads, Walk } from './walk.ts'

const digitsOf = createCodeDigits(testSecretKey)

/** What a student does at /my. */
export async function walkOwnPage(
  { act, actAs, server: { url, database }, mark, academicYear }: Walk,
  reads: Reads,
) {
  const student = await storeStudent(database, { email: `${mark}@own.example`, academicYear })
  const { id: studentId, reference, dateOfBirth } = student
  const { lastName, firstName } = student
  await actAs('')('POST /my/lost-code', {
    body: { lastName, firstName, dateOfBirth, email: `${mark}@own.example` },
  })
  await actAs('')('POST /my/session', { body: { reference, dateOfBirth } })
  const visitor = createStudentVisitor({ url, database })
  await visitor.open(student)
  const first = createStudentVisitor({ url, database })
  await first.enter(student)
  await actAs('')('POST /my/session/slip', { body: { reference, code: 'ABCD-2345-WXYZ' } })
  const as = ({ cookies }: typeof visitor) =>
    actAs([...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
  const own = as(visitor)
  await own('GET /my/session')
  await own('GET /my/state')
  await own('GET /my')
  await own('GET /my/record')
  await own('GET /my/file.xlsx')
  await own('POST /my/code')
  // Sent, whether the walk has a mail account at this moment or not.
  const codeId = await storeSentMessage(database, { kind: 'code', studentId })
  await database.db.updateTable('studentKeys').set({ codeId }).where('studentId', '=', studentId).execute()
  await as(first)('POST /my/session/code', { body: { code: digitsOf(codeId) } })
  const asked = await own('POST /my/requests', {
    body: { kind: 'correction', changes: { barangay: 'Tibag' } },
  })
  const withdrawn = await own('POST /my/requests', { body: { kind: 'copy' } })
  await own('POST /my/requests/{id}/withdraw', { id: withdrawn.id })
  await own('GET /my/requests')
  reads.id['/requests/'] = asked.id
  const body = { version: 1, recordVersion: 1, accept: 'all' }
  await act('POST /requests/{id}/decide', { id: asked.id, body })
  await own('DELETE /my/session')
}
