import { describe, expect, test } from 'vitest'
import { createOptOutHash, createOptOutRepository } from '#server/features/mail/opt-outs-repository.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import type { MailSink } from '#tests/setup/mail-sink.ts'
import { type MailWorkerFixture, setUpMailWorkerFixture, until } from '#tests/setup/mail-worker-fixture.ts'
import { testKeys } from '#tests/setup/test-server.ts'

const yearMs = 365 * 24 * 3_600_000
const address = 'Ana@student.example'

describe('a queued message', () => {
  let fixture: MailWorkerFixture
  let sink: MailSink

  setUpMailWorkerFixture((opened, started) => {
    fixture = opened
    sink = started
  })

  test('that was stored by a clock a year ahead is sent now', async () => {
    fixture.pass(yearMs)
    await fixture.queue([{}, { kind: 'bulk' }])
    fixture.pass(-yearMs)
    fixture.startSender()
    await until('both are sent', async () => (await fixture.states()).sent === 2)
  })

  test('that was claimed by a dead worker with a clock a year ahead becomes unknown', async () => {
    const [id = ''] = await fixture.queue([{}])
    await fixture.database.db
      .updateTable('mailMessages')
      .set({
        state: 'sending',
        claim: '018f3c00-0000-7000-8000-000000000000',
        claimedUntil: new Date(fixture.clock().getTime() + yearMs),
      })
      .execute()
    fixture.startSender()
    await until('it is given up', async () => (await fixture.read(id)).state === 'unknown')
    expect(sink.messages).toEqual([])
  })

  test('to a student whose record was blocked meanwhile is cancelled when it is bulk mail', async () => {
    const { id: studentId } = await storeStudent(fixture.database, { restriction: 'blocked' })
    await fixture.queue([{ kind: 'bulk', studentId }, { kind: 'single', studentId }, { kind: 'bulk' }])
    fixture.startSender()
    expect(await fixture.settled()).toEqual({ cancelled: 1, sent: 2 })
  })

  test('for a recipient who opted out meanwhile is cancelled when it is bulk mail', async () => {
    const optOuts = createOptOutRepository(fixture.database.db, createOptOutHash(testKeys))
    await optOuts.add(address, fixture.clock())
    const [bulk = ''] = await fixture.queue([
      { kind: 'bulk', recipient: address },
      { kind: 'single', recipient: address },
      { kind: 'bulk' },
    ])
    fixture.startSender()
    expect(await fixture.settled()).toEqual({ cancelled: 1, sent: 2 })
    expect(await fixture.read(bulk)).toMatchObject({
      state: 'cancelled',
      failure: 'The owner of this address has stopped announcements by e-mail.',
    })
  })
})
