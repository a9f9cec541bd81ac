import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tableRows } from '#server/spreadsheet/reading/table-rows.ts'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { type MailFixture, openMailFixture } from '#tests/setup/mail-fixture.ts'

let fixture: MailFixture
beforeAll(async () => {
  fixture = await openMailFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  await fixture.clear()
  await fixture.trail.clear()
})

const store = (...args: Parameters<typeof storeBatch> extends [unknown, ...infer Rest] ? Rest : never) =>
  storeBatch(fixture.server.database, ...args)

describe('the results of a bulk e-mail', () => {
  test('are paged in the order of the list', async () => {
    const { id, messageIds } = await store(Array.from({ length: 120 }, () => ({ state: 'sent' as const })))
    await store([{ state: 'sent' }])
    const read: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await fixture.done('GET', `/mail/batches/${id}/results?cursor=${cursor}`)
      read.push(...page.items.map((item: { id: string }) => item.id))
      cursor = page.nextCursor
    }
    expect(read).toEqual(messageIds)
  })

  test('are filtered by state and search', async () => {
    const { id, messageIds } = await store([
      { state: 'failed', recipient: 'ana@x.example' },
      { state: 'failed', recipient: 'juan@x.example' },
      { state: 'sent', recipient: 'other.ana@x.example' },
    ])
    const { items } = await fixture.done('GET', `/mail/batches/${id}/results?state=failed&search=ANA%40`)
    expect(items).toMatchObject([{ id: messageIds[0], recipient: 'ana@x.example', state: 'failed' }])
  })

  test('are refused for an invalid state, for a deleted bulk e-mail, and without a session', async () => {
    const { id } = await store([])
    expect(await fixture.admin.refusal('GET', `/mail/batches/${id}/results?state=lost`)).toMatchObject({
      status: 422,
      detail: 'Please choose the state: all, queued, sending, sent, failed, unknown, cancelled.',
    })
    for (const path of [`/mail/batches/${randomUUID()}/results`, '/mail/batches/none/results.xlsx']) {
      expect(await fixture.admin.refusal('GET', path)).toMatchObject({
        status: 404,
        detail: 'This bulk e-mail is no longer in the history.',
      })
      expect(await fixture.anonymous.refusal('GET', path)).toMatchObject({
        status: 401,
        detail: 'Authentication required. Please login as admin.',
      })
    }
  })

  test('are downloaded as a workbook, which is audited', async () => {
    const { id } = await store([
      { state: 'sent', recipient: '=1+1@x.example' },
      ...Array.from({ length: 1_100 }, () => ({ state: 'failed' as const })),
    ])
    const response = await fixture.admin.call('GET', `/mail/batches/${id}/results.xlsx?search=1%2B1`)
    expect(response.headers.get('Content-Disposition')).toMatch(/Bulk e-mail results \d{4}-\d\d-\d\d\.xlsx/)
    expect(await rowsOf(response)).toEqual([
      ['Recipient', 'Name', 'Reference', 'State', 'Ended', 'Attempts', 'Reason'],
      ['=1+1@x.example', 'Reyes, Ana', '', 'Sent', expect.stringContaining('2026-11-20'), '0'],
    ])
    const all = await rowsOf(await fixture.admin.call('GET', `/mail/batches/${id}/results.xlsx`))
    expect(all).toHaveLength(1_102)
    expect(all.at(-1)?.at(-1)).toBe('The mail server refused the address.')
    expect(await fixture.trail.entries()).toMatchObject([
      {
        action: 'mail-exported',
        actor: adminEmail,
        affected: 1,
        detail: { batch: id, state: 'all', searched: true },
      },
      { action: 'mail-exported', affected: 1_101, detail: { batch: id, searched: false } },
    ])
  })
})

describe('settling all unknown messages', () => {
  test('marks only the unknown messages', async () => {
    const { id } = await store([{ state: 'unknown' }, { state: 'unknown' }, { state: 'failed' }])
    const settle = () => fixture.done('POST', `/mail/batches/${id}/settle`, { as: 'sent' })
    expect(await settle()).toEqual({ count: 2 })
    expect(await settle()).toEqual({ count: 0 })
    expect((await fixture.done('GET', `/mail/batches/${id}`)).counts).toMatchObject({
      sent: 2,
      unknown: 0,
      failed: 1,
    })
    expect(await fixture.trail.entries()).toMatchObject([
      { action: 'mail-decided', affected: 2, detail: { batch: id, was: 'unknown', as: 'sent' } },
    ])
  })

  test('is refused with an invalid result, for a deleted bulk e-mail, and without a session', async () => {
    const path = `/mail/batches/${randomUUID()}/settle`
    expect(await fixture.admin.refusal('POST', path, { as: 'queued' })).toMatchObject({
      status: 422,
      detail: 'Please decide: sent or failed.',
    })
    expect(await fixture.admin.refusal('POST', path, { as: 'sent' })).toMatchObject({
      status: 404,
      detail: 'This bulk e-mail is no longer in the history.',
    })
    expect(await fixture.anonymous.refusal('POST', path, { as: 'sent' })).toMatchObject({
      status: 401,
      detail: 'Authentication required. Please login as admin.',
    })
  })
})

async function rowsOf(response: Response): Promise<string[][]> {
  const rows: string[][] = []
  for await (const { cells } of tableRows(Buffer.from(await response.arrayBuffer()))) rows.push(cells)
  return rows
}
