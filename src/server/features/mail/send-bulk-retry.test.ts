import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { type MailAdmin, openMailAdmin } from '#tests/setup/mail-admin.ts'

let desk: MailAdmin
let authorization = ''
beforeAll(async () => {
  desk = await openMailAdmin()
  await desk.configure()
  const { token } = await desk.done('POST', '/tokens', { name: 'Student portal' })
  authorization = `Bearer ${token}`
})
afterAll(() => desk.close())
beforeEach(() => desk.clear())

const form = {
  recipients: ['juan@x.example', 'OUT@x.example', 'ana@x.example', 'no address', 'late@x.example'],
  subject: 'Drill on Saturday',
  template: 'Good day {firstName}, please come.',
  useCustomTemplate: true,
}
async function send(changes: object = {}) {
  const headers = { Authorization: authorization, 'Idempotency-Key': 'the-drill-of-saturday' }
  const response = await desk.visitor.call('POST', '/send-bulk-emails', { ...form, ...changes }, headers)
  expect(response.status).toBe(200)
  return await response.json()
}

test('a retry is answered as the first sending was, whoever opted out or in meanwhile', async () => {
  await desk.optOut('out@x.example')
  const first = await send()
  expect(first.results.map(({ email, state }: { email: string; state: string }) => [email, state])).toEqual([
    ['juan@x.example', 'sent'],
    ['ana@x.example', 'sent'],
    ['late@x.example', 'sent'],
    ['OUT@x.example', 'left-out'],
    ['no address', 'left-out'],
  ])
  await desk.db.deleteFrom('mailOptOuts').execute()
  await desk.optOut('late@x.example')
  expect(await send()).toEqual(first)
  expect(desk.sink.messages).toHaveLength(3)
})

test('of a student whose record was deleted it knows nothing but the address that the retry sends', async () => {
  await desk.optOut('out@x.example')
  const student = await storeStudent(desk.server.database, { email: 'ana@x.example' })
  const first = await send()
  await desk.done('DELETE', `/students/${student.id}`)
  const again = await send()
  const sentence = 'This e-mail is no longer in the history.'
  expect(again).toEqual({
    ...first,
    message: 'Successfully sent 2 of 2 emails',
    results: first.results.map((result: { email: string }) =>
      result.email === 'ana@x.example'
        ? { ...result, success: false, error: sentence, state: 'deleted' }
        : result,
    ),
    errors: [`ana@x.example: ${sentence}`, ...first.errors],
  })
  expect(desk.sink.messages).toHaveLength(3)
})

test('a program is never told the new address of a student', async () => {
  const student = await storeStudent(desk.server.database, { email: 'ana@x.example' })
  desk.sink.fault({ at: 'rcpt', recipient: 'ana@x.example', does: 'answer', code: 550, text: 'No such user' })
  const first = await send()
  expect(first.results[2]).toMatchObject({ email: 'ana@x.example', state: 'failed' })
  await desk.db
    .updateTable('students')
    .set({ email: 'ana@new.example' })
    .where('id', '=', student.id)
    .execute()
  const { items } = await desk.done('GET', `/mail/batches/${first.batchId}/results?state=failed`)
  await desk.done('POST', `/mail/messages/${items[0].id}/send-again`)
  await desk.allEnded()
  expect(desk.sink.messages.at(-1)?.to).toEqual(['ana@new.example'])
  const again = await send()
  expect(again.results[2]).toEqual({ email: 'ana@x.example', success: true, error: null, state: 'sent' })
  expect(JSON.stringify(again)).not.toContain('new.example')
})
