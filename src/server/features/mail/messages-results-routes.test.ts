import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tableRows } from '#server/spreadsheet/reading/table-rows.ts'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { type MailAdmin, openMailAdmin } from '#tests/setup/mail-admin.ts'

let desk: MailAdmin
beforeAll(async () => {
  desk = await openMailAdmin()
})
afterAll(() => desk.close())
beforeEach(async () => {
  await desk.clear()
  await desk.trail.clear()
})

const store = (...args: Parameters<typeof storeBatch> extends [unknown, ...infer Rest] ? Rest : never) =>
  storeBatch(desk.server.database, ...args)

describe('the results of a bulk e-mail', () => {
  test('come in the order of its list, in pieces', async () => {
    const { id, messageIds } = await store(Array.from({ length: 120 }, () => ({ state: 'sent' as const })))
    await store([{ state: 'sent' }])
    const read: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const piece = await desk.done('GET', `/mail/batches/${id}/results?cursor=${cursor}`)
      read.push(...piece.items.map((item: { id: string }) => item.id))
      cursor = piece.nextCursor
    }
    expect(read).toEqual(messageIds)
  })

  test('are narrowed by state and search', async () => {
    const { id, messageIds } = await store([
      { state: 'failed', recipient: 'ana@x.example' },
      { state: 'failed', recipient: 'juan@x.example' },
      { state: 'sent', recipient: 'other.ana@x.example' },
    ])
    const { items } = await desk.done('GET', `/mail/batches/${id}/results?state=failed&search=ANA%40`)
    expect(items).toMatchObject([{ id: messageIds[0], recipient: 'ana@x.example', state: 'failed' }])
  })

  test('are refused for a state that is none, for a bulk e-mail that is gone, and without a session', async () => {
    const { id } = await store([])
    expect(await desk.admin.refusal('GET', `/mail/batches/${id}/results?state=lost`)).toMatchObject({
      status: 422,
      detail: 'Please choose the state: all, queued, sending, sent, failed, unknown, cancelled.',
    })
    for (const path of [`/mail/batches/${randomUUID()}/results`, '/mail/batches/none/results.xlsx']) {
      expect(await desk.admin.refusal('GET', path)).toMatchObject({
        status: 404,
        detail: 'This bulk e-mail is no longer in the history.',
      })
      expect(await desk.visitor.refusal('GET', path)).toMatchObject({
        status: 401,
        detail: 'Authentication required. Please login as admin.',
      })
    }
  })

  test('are downloaded as a workbook, which the audit trail knows of', async () => {
    const { id } = await store([
      { state: 'sent', recipient: '=1+1@x.example' },
      ...Array.from({ length: 1_100 }, () => ({ state: 'failed' as const })),
    ])
    const response = await desk.admin.call('GET', `/mail/batches/${id}/results.xlsx?search=1%2B1`)
    expect(response.headers.get('Content-Disposition')).toMatch(/Bulk e-mail results \d{4}-\d\d-\d\d\.xlsx/)
    expect(await rowsOf(response)).toEqual([
      ['Recipient', 'Name', 'Reference', 'State', 'Ended', 'Attempts', 'Reason'],
      ['=1+1@x.example', 'Reyes, Ana', '', 'Sent', expect.stringContaining('2026-11-20'), '0'],
    ])
    const all = await rowsOf(await desk.admin.call('GET', `/mail/batches/${id}/results.xlsx`))
    expect(all).toHaveLength(1_102)
    expect(all.at(-1)?.at(-1)).toBe('The mail server refused the address.')
    expect(await desk.trail.entries()).toMatchObject([
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

describe('settling all of unknown end', () => {
  test('says how they ended, and of no other', async () => {
    const { id } = await store([{ state: 'unknown' }, { state: 'unknown' }, { state: 'failed' }])
    const settle = () => desk.done('POST', `/mail/batches/${id}/settle`, { as: 'sent' })
    expect(await settle()).toEqual({ count: 2 })
    expect(await settle()).toEqual({ count: 0 })
    expect((await desk.done('GET', `/mail/batches/${id}`)).counts).toMatchObject({
      sent: 2,
      unknown: 0,
      failed: 1,
    })
    expect(await desk.trail.entries()).toMatchObject([
      { action: 'mail-decided', affected: 2, detail: { batch: id, was: 'unknown', as: 'sent' } },
    ])
  })

  test('is refused with another end, for a bulk e-mail that is gone, and without a session', async () => {
    const path = `/mail/batches/${randomUUID()}/settle`
    expect(await desk.admin.refusal('POST', path, { as: 'queued' })).toMatchObject({
      status: 422,
      detail: 'Please decide: sent or failed.',
    })
    expect(await desk.admin.refusal('POST', path, { as: 'sent' })).toMatchObject({
      status: 404,
      detail: 'This bulk e-mail is no longer in the history.',
    })
    expect(await desk.visitor.refusal('POST', path, { as: 'sent' })).toMatchObject({
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
