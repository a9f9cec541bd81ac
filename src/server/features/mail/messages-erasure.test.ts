import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { type MailAdmin, openMailAdmin } from '#tests/setup/mail-admin.ts'

let desk: MailAdmin
beforeAll(async () => {
  desk = await openMailAdmin()
})
afterAll(() => desk.close())
beforeEach(() => desk.clear())

async function storeThree() {
  const { database } = desk.server
  const [first, second] = [await storeStudent(database), await storeStudent(database)]
  const { id, messageIds } = await storeBatch(database, [
    { studentId: first.id, state: 'sent' },
    { studentId: second.id, state: 'queued' },
    { state: 'sent' },
  ])
  return { batchId: id, studentIds: [first.id, second.id], messageIds }
}

const keptIds = async () =>
  (await desk.db.selectFrom('mailMessages').select('id').orderBy('id').execute()).map(({ id }) => id)

test('a record that is erased takes its messages along, also what waits', async () => {
  const { batchId, studentIds, messageIds } = await storeThree()
  await desk.done('DELETE', `/students/${studentIds[1]}`)
  expect(await keptIds()).toEqual([messageIds[0], messageIds[2]])
  expect((await desk.done('GET', `/mail/batches/${batchId}`)).counts).toMatchObject({ sent: 2, queued: 0 })
})
