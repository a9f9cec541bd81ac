import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { type MailDesk, openMailDesk } from '#tests/setup/mail-desk.ts'

let desk: MailDesk
beforeAll(async () => {
  desk = await openMailDesk()
  await desk.configure()
})
afterAll(() => desk.close())
beforeEach(async () => {
  await desk.clear()
  await desk.trail.forget()
})

const store = (...args: Parameters<typeof storeBatch> extends [unknown, ...infer Rest] ? Rest : never) =>
  storeBatch(desk.server.database, ...args)
const post = (id: string, what: string) => desk.done('POST', `/mail/batches/${id}/${what}`)
const refusal = (id: string, what: string) => desk.admin.refusal('POST', `/mail/batches/${id}/${what}`)

describe('a bulk e-mail', () => {
  test('is paused, goes on and is cancelled, each once however often it is said', async () => {
    const { id } = await store([{ state: 'sent' }, { state: 'queued' }, { state: 'queued' }])
    expect(await post(id, 'pause')).toMatchObject({ state: 'paused', finishesAt: null })
    expect(await post(id, 'pause')).toMatchObject({ state: 'paused' })
    expect(await post(id, 'resume')).toMatchObject({ state: 'running' })
    await Promise.all(Array.from({ length: 10 }, () => post(id, 'cancel')))
    expect(await post(id, 'cancel')).toMatchObject({
      state: 'cancelled',
      counts: { queued: 0, sending: 0, sent: 1, failed: 0, unknown: 0, cancelled: 2 },
    })
    expect(await desk.trail.entries()).toMatchObject([
      { action: 'mail-batch-paused', actor: adminEmail, detail: { batch: id } },
      { action: 'mail-batch-resumed' },
      { action: 'mail-batch-cancelled', affected: 2 },
    ])
  })

  test('is finished when every message has ended, and running while one of them is sent again', async () => {
    const { id, messageIds } = await store([{ state: 'sent' }, { state: 'failed' }])
    expect(await desk.done('GET', `/mail/batches/${id}`)).toMatchObject({ state: 'finished' })
    expect((await desk.done('GET', '/mail/batches')).items).toMatchObject([{ id, state: 'finished' }])
    expect(await post(id, 'pause')).toMatchObject({ state: 'finished' })
    await desk.done('POST', `/mail/messages/${messageIds[1]}/send-again`)
    expect(await desk.done('GET', `/mail/batches/${id}`)).toMatchObject({ state: 'paused' })
    await post(id, 'resume')
    await desk.allEnded()
    expect(await desk.done('GET', `/mail/batches/${id}`)).toMatchObject({
      state: 'finished',
      counts: { sent: 2, failed: 0 },
    })
  })

  test('that was cancelled stays so', async () => {
    const { id } = await store([{ state: 'cancelled' }], { state: 'cancelled' })
    const cancelled = { status: 409, code: 'conflict', detail: 'This bulk e-mail was cancelled.' }
    expect(await refusal(id, 'pause')).toEqual(cancelled)
    expect(await refusal(id, 'resume')).toEqual(cancelled)
  })

  test.each(['pause', 'resume', 'cancel', 'repeat'])('is not there to %s', async (what) => {
    const missing = {
      status: 404,
      code: 'not_found',
      detail: 'This bulk e-mail is no longer in the history.',
    }
    expect(await refusal(randomUUID(), what)).toEqual(missing)
    expect(await refusal('none', what)).toEqual(missing)
    expect(await desk.nobody.refusal('POST', `/mail/batches/${randomUUID()}/${what}`)).toMatchObject({
      status: 401,
      detail: 'Authentication required. Please login as admin.',
    })
  })
})

test('what is cancelled while it goes out is sent or cancelled, never both', async () => {
  const recipients = Array.from({ length: 60 }, (_, index) => `s${index}@x.example`)
  const form = { subject: 'Drill', useCustomTemplate: true, body: 'Come.', recipients }
  const { id } = await desk.done('POST', '/mail/batches', form)
  await expect.poll(() => desk.sink.messages.length).toBeGreaterThan(3)
  await post(id, 'cancel')
  await desk.allEnded()
  const { counts } = await desk.done('GET', `/mail/batches/${id}`)
  expect(counts.sent + counts.cancelled).toBe(60)
  expect(desk.sink.messages).toHaveLength(counts.sent)
})

describe('sending again to the failed ones', () => {
  test('takes each failed message once, but not what may have been accepted or who opted out', async () => {
    await desk.optOut('out@x.example')
    const { id } = await store([
      { state: 'sent' },
      { state: 'unknown' },
      { state: 'queued' },
      { state: 'failed', recipient: 'out@x.example' },
      { state: 'failed', recipient: 'ana@x.example' },
      { state: 'failed', recipient: 'juan@x.example' },
    ])
    expect(await desk.done('GET', `/mail/batches/${id}`)).toMatchObject({ repeatableCount: 2 })
    const repeat = await post(id, 'repeat')
    expect(await desk.done('GET', `/mail/batches/${id}`)).toMatchObject({ repeatableCount: 0 })
    expect(repeat).toMatchObject({
      kind: 'repeat',
      source: { kind: 'repeat' },
      subject: 'Drill on Saturday',
      recipientCount: 2,
      optedOutCount: 1,
    })
    await expect.poll(() => desk.sink.messages.length).toBe(2)
    expect(desk.sink.messages.flatMap(({ to }) => to).sort()).toEqual(['ana@x.example', 'juan@x.example'])
    expect(desk.sink.messages[0]?.raw).toContain('Good day Ana, please come at seven.')
    expect((await desk.trail.entries()).at(-1)).toMatchObject({
      action: 'mail-batch-started',
      affected: 2,
      detail: { batch: repeat.id, to: 'repeat', of: id },
    })
    await desk.optOut('nobody@x.example')
    expect(await refusal(id, 'repeat')).toMatchObject({ status: 409 })
  })

  test('goes to the addresses that the students have by now', async () => {
    const { database } = desk.server
    const ana = await storeStudent(database, { email: 'ana@new.example' })
    const odd = await storeStudent(database, { email: 'not one' })
    const { id } = await store([
      { state: 'failed', recipient: 'ana@old.example', studentId: ana.id },
      { state: 'failed', recipient: 'odd@old.example', studentId: odd.id },
    ])
    expect(await post(id, 'repeat')).toMatchObject({ recipientCount: 2, optedOutCount: 0 })
    await expect.poll(() => desk.sink.messages.length).toBe(2)
    expect(desk.sink.messages.flatMap(({ to }) => to).sort()).toEqual(['ana@new.example', 'odd@old.example'])
    expect(await desk.done('GET', `/mail/batches/${id}`)).toMatchObject({ repeatableCount: 0 })
    expect(await refusal(id, 'repeat')).toMatchObject({ status: 409 })
  })

  test('makes one bulk e-mail of many requests at once', async () => {
    const { id } = await store([{ state: 'failed' }, { state: 'failed' }])
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => desk.admin.call('POST', `/mail/batches/${id}/repeat`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array<number>(9).fill(409)])
    expect(await refusal(id, 'repeat')).toEqual({
      status: 409,
      code: 'conflict',
      detail: 'No e-mail of this bulk e-mail has failed that was not sent again already.',
    })
  })

  test('gives the first answer again to the same sending', async () => {
    const { id } = await store([{ state: 'failed' }])
    const again = () =>
      desk.done('POST', `/mail/batches/${id}/repeat`, undefined, { 'Idempotency-Key': 'one-sending' })
    expect((await again()).id).toBe((await again()).id)
  })

  test('takes what an earlier repeat was cancelled for', async () => {
    const { id } = await store([{ state: 'failed', recipient: 'ana@x.example' }])
    await store([{ state: 'cancelled', recipient: 'ana@x.example' }], {
      kind: 'repeat',
      state: 'cancelled',
      repeatOf: id,
    })
    expect(await post(id, 'repeat')).toMatchObject({ recipientCount: 1 })
  })

  test('is refused while e-mail is not configured', async () => {
    const { id } = await store([{ state: 'failed' }])
    await desk.forget()
    expect(await refusal(id, 'repeat')).toMatchObject({
      status: 503,
      detail: 'Email service is not configured.',
    })
    await desk.configure()
  })
})

describe('the history of bulk e-mails', () => {
  test('has the newest first, in pieces', async () => {
    const ids: string[] = []
    for (let index = 0; index < 23; index += 1) {
      const createdAt = new Date(Date.UTC(2026, 10, 20, 0, Math.floor(index / 2)))
      ids.unshift((await store([{ state: 'sent' }], { createdAt })).id)
    }
    const first = await desk.done('GET', '/mail/batches')
    expect(first.items).toHaveLength(20)
    const second = await desk.done('GET', `/mail/batches?cursor=${first.nextCursor}`)
    expect(second.nextCursor).toBeNull()
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids)
    expect(first.items[0].counts.sent).toBe(1)
  })

  test('refuses a cursor that is none, and somebody without a session', async () => {
    expect(await desk.admin.refusal('GET', '/mail/batches?cursor=x')).toMatchObject({
      status: 422,
      detail: 'Please begin again at the newest entries.',
    })
    for (const path of ['/mail/batches', `/mail/batches/${randomUUID()}`]) {
      expect(await desk.nobody.refusal('GET', path)).toMatchObject({
        status: 401,
        detail: 'Authentication required. Please login as admin.',
      })
    }
    expect(await desk.admin.refusal('GET', `/mail/batches/${randomUUID()}`)).toMatchObject({ status: 404 })
  })
})
