import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { type MailFixture, openMailFixture } from '#tests/setup/mail-fixture.ts'

let fixture: MailFixture
let authorization = ''
beforeAll(async () => {
  fixture = await openMailFixture()
  await fixture.configure()
  const { token } = await fixture.done('POST', '/tokens', { name: 'Student portal' })
  authorization = `Bearer ${token}`
})
afterAll(() => fixture.close())
beforeEach(() => fixture.clear())

const form = {
  recipients: ['juan@x.example', 'OUT@x.example', 'ana@x.example', 'no address', 'late@x.example'],
  subject: 'Drill on Saturday',
  template: 'Good day {firstName}, please come.',
  useCustomTemplate: true,
}
async function send(changes: object = {}) {
  const headers = { Authorization: authorization, 'Idempotency-Key': 'the-drill-of-saturday' }
  const response = await fixture.anonymous.call('POST', '/send-bulk-emails', { ...form, ...changes }, headers)
  expect(response.status).toBe(200)
  return await response.json()
}

test('a retry gets the first result, regardless of later opt-outs and opt-ins', async () => {
  await fixture.optOut('out@x.example')
  const first = await send()
  expect(first.results.map(({ email, state }: { email: string; state: string }) => [email, state])).toEqual([
    ['juan@x.example', 'sent'],
    ['ana@x.example', 'sent'],
    ['late@x.example', 'sent'],
    ['OUT@x.example', 'left-out'],
    ['no address', 'left-out'],
  ])
  await fixture.db.deleteFrom('mailOptOuts').execute()
  await fixture.optOut('late@x.example')
  expect(await send()).toEqual(first)
  expect(fixture.sink.messages).toHaveLength(3)
})

test('a retry returns only the sent address of a student who was deleted meanwhile', async () => {
  await fixture.optOut('out@x.example')
  const student = await storeStudent(fixture.server.database, { email: 'ana@x.example' })
  const first = await send()
  await fixture.done('DELETE', `/students/${student.id}`)
  const again = await send()
  const sentence = 'This e-mail is no longer in the history.'
  expect(again).toEqual({
    ...first,
    message: 'Successfully sent 2 of 3 emails',
    results: first.results.map((result: { email: string }) =>
      result.email === 'ana@x.example'
        ? { ...result, success: false, error: sentence, state: 'deleted' }
        : result,
    ),
    errors: [`ana@x.example: ${sentence}`, ...first.errors],
  })
  expect(fixture.sink.messages).toHaveLength(3)
})

test('a program never gets the new address of a student', async () => {
  const student = await storeStudent(fixture.server.database, { email: 'ana@x.example' })
  fixture.sink.fault({
    at: 'rcpt',
    recipient: 'ana@x.example',
    does: 'answer',
    code: 550,
    text: 'No such user',
  })
  const first = await send()
  expect(first.results[2]).toMatchObject({ email: 'ana@x.example', state: 'failed' })
  await fixture.db
    .updateTable('students')
    .set({ email: 'ana@new.example' })
    .where('id', '=', student.id)
    .execute()
  const { items } = await fixture.done('GET', `/mail/batches/${first.batchId}/results?state=failed`)
  await fixture.done('POST', `/mail/messages/${items[0].id}/send-again`)
  await fixture.allEnded()
  expect(fixture.sink.messages.at(-1)?.to).toEqual(['ana@new.example'])
  const again = await send()
  expect(again.results[2]).toEqual({ email: 'ana@x.example', success: true, error: null, state: 'sent' })
  expect(JSON.stringify(again)).not.toContain('new.example')
})
