import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createOptOutRepository } from '#server/features/mail/announcement-repository.ts'
import type { AnnouncementMailing } from '#shared/announcements/announcement-mail.ts'
import type { ManagedAnnouncement } from '#shared/announcements/announcements.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { announcementsOf, refusalOf } from '#tests/setup/announcements.ts'
import { configureMail, removeMailAccount } from '#tests/setup/configure-mail.ts'
import { storeMailAccount } from '#tests/setup/mail-account.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

// ms, under load.
const polling = { timeout: 12_000, interval: 50 }

describe('announcements by mail', () => {
  let sink: MailSink
  let database: TestDatabase
  let server: TestServer
  let other: TestServer
  let cookie: string
  let announcements: ReturnType<typeof announcementsOf>
  let admin: ReturnType<typeof createAdminClient>

  beforeAll(async () => {
    ;[sink, database] = await Promise.all([startMailSink(), createTestDatabase()])
    await storeMailAccount(database, sink.account)
    const env = { PUBLIC_URL: 'https://nstp.school.test' }
    server = await startTestServer({ database, env })
    other = await startTestServer({ database, env })
    cookie = await server.signIn()
    announcements = announcementsOf(server, cookie)
    admin = createAdminClient(server, cookie)
    for (const [email, nstpComponent, archived] of [
      ['ana@x.edu', 'ROTC', false],
      ['ben@x.edu', 'ROTC', false],
      ['BEN@x.edu', 'ROTC', false],
      ['out@x.edu', 'ROTC', false],
      ['old@x.edu', 'ROTC', true],
      ['cora@x.edu', 'CWTS', false],
    ] as const) {
      const at = archived ? new Date() : null
      await storeStudent(database, { email, nstpComponent, archived, archivedDate: at })
    }
    await createOptOutRepository(database.db).add('out@x.edu', new Date())
  })
  afterAll(async () => {
    await Promise.all([server.close(), other.close()])
    await Promise.all([database.close(), sink.close()])
  })
  beforeEach(() => sink.reset())

  const read = (id: string) => announcements.read<ManagedAnnouncement>(`/${id}`)

  async function mailed(id: string): Promise<ManagedAnnouncement> {
    return await vi.waitFor(async () => {
      const announcement = await read(id)
      expect(announcement.mailedAt).not.toBeNull()
      return announcement
    }, polling)
  }

  async function mailingOf(id: string): Promise<AnnouncementMailing | undefined> {
    const response = await admin.call('GET', `/mail/announcements?ids=${id}`)
    expect(response.status).toBe(200)
    return (await response.json()).items[0]
  }

  function recipients(): string[] {
    return sink.messages.flatMap(({ to }) => to.map((address) => address.toLowerCase())).sort()
  }

  test('are sent to the active students of a component, each address once, without opted-out ones', async () => {
    const { id } = await announcements.added({ title: 'Drill', content: 'At the **gym**.', mailTo: 'ROTC' })
    await mailed(id)
    await vi.waitFor(() => expect(recipients()).toEqual(['ana@x.edu', 'ben@x.edu']), polling)
    const [mail] = sink.messages
    expect(mail?.raw).toMatch(/^Subject: Drill\r$/m)
    expect(mail?.raw).toMatch(/^List-Unsubscribe:\s+<https:\/\/nstp\.school\.test\/unsubscribe/m)
    expect(mail?.raw).toContain(`https://nstp.school.test/announcements/${id}`)
    await vi.waitFor(async () => {
      expect(await mailingOf(id)).toMatchObject({ recipientCount: 2, sentCount: 2, optedOutCount: 1 })
    }, polling)
  })

  test('are sent once to all students, also after an edit', async () => {
    const added = await announcements.added({ mailTo: 'all' })
    const announcement = await mailed(added.id)
    await vi.waitFor(() => expect(recipients()).toEqual(['ana@x.edu', 'ben@x.edu', 'cora@x.edu']), polling)
    const edited = await announcements.edited(announcement, { title: 'Drill again', mailTo: 'all' })
    expect(edited).toMatchObject({ mailTo: '', mailedAt: announcement.mailedAt })
    expect(await refusalOf(announcements.edit(edited.id, edited.version, { mailTo: 'CWTS' }))).toMatchObject({
      status: 422,
      detail: 'It was already e-mailed, so the recipients can no longer be changed.',
      errors: [expect.objectContaining({ path: 'mailTo' })],
    })
    expect((await admin.call('POST', `/announcements/${edited.id}/mail`)).status).toBe(204)
    expect(await batchesOf(edited.id)).toHaveLength(1)
  })

  function batchesOf(id: string) {
    return database.db.selectFrom('mailBatches').selectAll().where('announcementId', '=', id).execute()
  }

  test('are sent on scheduled publication, by one of several processes', async () => {
    const { id } = await announcements.added({ publishAt: String(Date.now() + 1_500), mailTo: 'CWTS' })
    expect(await read(id)).toMatchObject({ state: 'scheduled', mailTo: 'CWTS', mailedAt: null })
    await mailed(id)
    await vi.waitFor(() => expect(recipients()).toEqual(['cora@x.edu']), polling)
    expect(await batchesOf(id)).toEqual([
      expect.objectContaining({ kind: 'announcement', recipientCount: 1, createdBy: 'system' }),
    ])
  })

  test('are not sent as drafts or after deletion; a draft is sent when it is published', async () => {
    const draft = await announcements.added({ draft: 'true', mailTo: 'CWTS' })
    const deleted = await announcements.added({ publishAt: String(Date.now() + 1_000), mailTo: 'CWTS' })
    await announcements.delete(deleted.id)
    // An announcement published after both is mailed after them.
    const { id } = await announcements.added({
      publishAt: String(Date.now() + 2_000),
      mailTo: 'CWTS',
      title: 'Later',
    })
    await mailed(id)
    await vi.waitFor(() => expect(recipients()).toEqual(['cora@x.edu']), polling)
    expect(await read(draft.id)).toMatchObject({ state: 'draft', mailedAt: null })
    await announcements.edited(draft, { draft: 'false' })
    await mailed(draft.id)
  })

  test('say why they were not sent, and are sent on request', async () => {
    const { id } = await announcements.added({ publishAt: String(Date.now() + 1_000), mailTo: 'CWTS' })
    await removeMailAccount(server.url, cookie)
    await vi.waitFor(async () => {
      expect((await read(id)).mailProblem).toBe('Email service is not configured.')
    }, polling)
    expect(await admin.refusal('POST', `/announcements/${id}/mail`)).toMatchObject({
      status: 503,
      detail: 'Email service is not configured.',
    })
    expect(await refusalOf(announcements.add({ title: 'A', content: 'B', mailTo: 'LTS' }))).toMatchObject({
      status: 422,
      detail: 'Email service is not configured.',
    })
    await configureMail(server.url, cookie, sink.account)
    sink.reset()
    expect((await read(id)).mailedAt).toBeNull()
    expect((await admin.call('POST', `/announcements/${id}/mail`)).status).toBe(204)
    expect(await mailed(id)).toMatchObject({ mailProblem: '' })
    await vi.waitFor(() => expect(recipients()).toEqual(['cora@x.edu']), polling)
  })

  test('are not mailed automatically after a long downtime', async () => {
    const { id } = await announcements.added({ draft: 'true', mailTo: 'CWTS' })
    const longAgo = new Date(Date.now() - 3 * 24 * 60 * 60_000)
    await database.db
      .updateTable('announcements')
      .set({ publishedAt: longAgo, updatedAt: longAgo })
      .where('id', '=', id)
      .execute()
    // Any change triggers a check for due announcements.
    await announcements.added()
    await vi.waitFor(async () => {
      expect((await read(id)).mailProblem).toBe('The system was not running when it was published.')
    }, polling)
    expect(recipients()).toEqual([])
  })

  test('need existing recipients', async () => {
    expect(await refusalOf(announcements.add({ title: 'A', content: 'B', mailTo: 'NAVY' }))).toMatchObject({
      status: 422,
      detail: 'Please choose who gets it by e-mail: no one, all, ROTC, CWTS or LTS.',
    })
    const { id } = await announcements.added({ mailTo: 'nobody' })
    expect(await read(id)).toMatchObject({ mailTo: null, mailedAt: null })
    expect(await admin.refusal('POST', `/announcements/${id}/mail`)).toMatchObject({
      status: 422,
      detail: 'Please choose who gets it by e-mail first.',
    })
    const draft = await announcements.added({ draft: 'true', mailTo: 'ROTC' })
    expect(await admin.refusal('POST', `/announcements/${draft.id}/mail`)).toMatchObject({
      status: 422,
      detail: 'It will be e-mailed when it is published.',
    })
    expect(await admin.refusal('POST', '/announcements/nonsense/mail')).toMatchObject({ status: 404 })
    const many = Array.from({ length: 51 }, () => id).join(',')
    expect(await admin.refusal('GET', `/mail/announcements?ids=${many}`)).toMatchObject({
      status: 422,
      detail: 'Please give 50 ids or fewer.',
    })
  })

  test('can be mailed only by administrators', async () => {
    const visitor = createAdminClient(server, '')
    for (const [method, path] of [
      ['POST', '/announcements/nonsense/mail'],
      ['GET', '/mail/announcements?ids='],
    ] as const) {
      expect(await visitor.refusal(method, path)).toMatchObject({
        status: 401,
        detail: 'Only admins can edit announcements',
      })
    }
  })
})
