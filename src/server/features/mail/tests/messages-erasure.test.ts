import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { type MailFixture, openMailFixture } from '#tests/setup/mail-fixture.ts'

let fixture: MailFixture
beforeAll(async () => {
  fixture = await openMailFixture()
})
afterAll(() => fixture.close())
beforeEach(() => fixture.clear())

async function storeThree() {
  const { database } = fixture.server
  const [first, second] = [await storeStudent(database), await storeStudent(database)]
  const { id, messageIds } = await storeBatch(database, [
    { studentId: first.id, state: 'sent' },
    { studentId: second.id, state: 'queued' },
    { state: 'sent' },
  ])
  return { batchId: id, studentIds: [first.id, second.id], messageIds }
}

const remainingIds = async () =>
  (await fixture.db.selectFrom('mailMessages').select('id').orderBy('id').execute()).map(({ id }) => id)

test('erasing a record deletes its messages, also queued ones', async () => {
  const { batchId, studentIds, messageIds } = await storeThree()
  await fixture.done('DELETE', `/students/${studentIds[1]}`)
  expect(await remainingIds()).toEqual([messageIds[0], messageIds[2]])
  expect((await fixture.done('GET', `/mail/batches/${batchId}`)).counts).toMatchObject({ sent: 2, queued: 0 })
})
