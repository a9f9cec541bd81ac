import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type MailQueueSetup, prepareMailQueue, until } from '#tests/setup/mail-queue.ts'
import type { MailSink } from '#tests/setup/mail-sink.ts'

const yearMs = 365 * 24 * 3_600_000
const address = 'Ana@student.example'

describe('what is left in the ledger', () => {
  let office: MailQueueSetup
  let sink: MailSink

  prepareMailQueue((opened, started) => {
    office = opened
    sink = started
  })

  test('by a clock that was a year ahead goes out now', async () => {
    office.pass(yearMs)
    await office.queue([{}, { kind: 'bulk' }])
    office.pass(-yearMs)
    office.startSender()
    await until('both are sent', async () => (await office.states()).sent === 2)
  })

  test('by a worker that died while its clock was a year ahead is of unknown end', async () => {
    const [id = ''] = await office.queue([{}])
    await office.database.db
      .updateTable('mailMessages')
      .set({
        state: 'sending',
        claim: '018f3c00-0000-7000-8000-000000000000',
        claimedUntil: new Date(office.clock().getTime() + yearMs),
      })
      .execute()
    office.startSender()
    await until('it is given up', async () => (await office.read(id)).state === 'unknown')
    expect(sink.messages).toEqual([])
  })

  test('for many by somebody who opted out while it was being written stays back; the rest goes out', async () => {
    await office.database.db
      .insertInto('mailOptOuts')
      .values({
        addressHash: createHash('sha256').update(address.toLowerCase()).digest(),
        optedOutAt: office.clock(),
      })
      .execute()
    const [bulk = ''] = await office.queue([
      { kind: 'bulk', recipient: address },
      { kind: 'single', recipient: address },
      { kind: 'bulk' },
    ])
    office.startSender()
    expect(await office.settled()).toEqual({ cancelled: 1, sent: 2 })
    expect(await office.read(bulk)).toMatchObject({
      state: 'cancelled',
      failure: 'This address wants no announcements by e-mail any more.',
    })
  })
})
