import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { announcementsOf, passUndo, refusalOf } from '#tests/setup/announcements.ts'
import { createAuditTrail } from '#tests/setup/audit-trail.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

describe('routes', () => {
  const start = new Date('2026-11-21T08:00:00+08:00')
  const setting = { now: start }
  const unknownId = '01930000-0000-7000-8000-000000000000'

  let server: TestServer
  let admin: ReturnType<typeof announcementsOf>
  let visitor: ReturnType<typeof announcementsOf>
  let trail: ReturnType<typeof createAuditTrail>

  beforeAll(async () => {
    server = await startTestServer(setting)
    admin = announcementsOf(server, await server.signIn())
    visitor = announcementsOf(server, '')
    trail = createAuditTrail(server.database)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    setting.now = start
    await server.database.db.deleteFrom('announcements').execute()
    await trail.clear()
  })

  // ms
  function pass(ms: number) {
    setting.now = new Date(setting.now.getTime() + ms)
  }

  describe('a new announcement', () => {
    test('is public at once with the typed texts', async () => {
      const response = await admin.add({
        title: '  First drill ',
        content: 'At the **gym**.\r\nBring water.',
        category: 'ROTC',
        pinned: 'true',
      })
      expect(response.status).toBe(201)
      expect(response.headers.get('ETag')).toBe('"1"')
      expect(response.headers.get('Cache-Control')).toBe('private, no-store, no-transform')
      const added: ManagedAnnouncement = await response.json()
      expect(added).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        version: 1,
        mailTo: null,
        mailedAt: null,
        mailProblem: '',
        createdBy: expect.stringMatching(/^[0-9a-f-]{36}$/),
        authorEmail: adminEmail,
        state: 'published',
        title: 'First drill',
        content: 'At the **gym**.\nBring water.',
        contentHtml: '<p>At the <strong>gym</strong>.<br />\nBring water.</p>',
        excerpt: 'At the gym. Bring water.',
        category: 'ROTC',
        pinned: true,
        createdAt: start.getTime(),
        updatedAt: start.getTime(),
        publishAt: start.getTime(),
        expireAt: null,
        eventAt: null,
        place: '',
        imageUrl: null,
        image: null,
        attachmentUrl: null,
        attachmentName: null,
        attachmentType: null,
        attachmentSize: null,
      })
      expect(await admin.read(`/${added.id}`)).toEqual(added)
    })

    test('may be JSON, and is General unless its category is valid', async () => {
      const fields = { title: 'Drill', content: 'At the gym.', category: 'Sports', pinned: false }
      const response = await admin.add(JSON.stringify(fields))
      expect(response.status).toBe(201)
      expect(await response.json()).toMatchObject({ category: 'General', pinned: false })
    })

    test('may be a draft, or scheduled in the program’s time zone', async () => {
      expect(await admin.added({ draft: 'true' })).toMatchObject({ state: 'draft', publishAt: null })
      expect(
        await admin.added({ publishAt: '2026-11-21T08:01', expireAt: '2026-11-30T00:00' }),
      ).toMatchObject({
        state: 'scheduled',
        publishAt: Date.parse('2026-11-21T00:01:00Z'),
        expireAt: Date.parse('2026-11-29T16:00:00Z'),
      })
      expect(await admin.added({ publishAt: '2026-11-01T08:00:00+08:00' })).toMatchObject({
        state: 'published',
        publishAt: Date.parse('2026-11-01T00:00:00Z'),
      })
    })

    test('is refused with a sentence for each field, in the order of the form', async () => {
      const required = [
        { path: 'title', message: 'Title is required' },
        { path: 'content', message: 'Content is required' },
      ]
      const refusal = { status: 422, detail: 'Title is required', errors: required }
      expect(await refusalOf(admin.add({ title: ' ', content: '\n' }))).toEqual(refusal)
      expect(await refusalOf(admin.add('{}'))).toEqual(refusal)
      const message = 'Please choose an expiry in the future.'
      expect(await refusalOf(admin.add({ title: 'a', content: 'b', expireAt: '2026-11-21T08:00' }))).toEqual({
        status: 422,
        detail: message,
        errors: [{ path: 'expireAt', message }],
      })
      expect(await refusalOf(admin.add('not JSON'))).toMatchObject({ status: 422 })
      expect(await trail.actions()).toEqual([])
    })
  })

  describe('an edit', () => {
    test('changes the sent fields and the time of the update', async () => {
      const added = await admin.added({ category: 'Event', pinned: 'true' })
      pass(60_000)
      const edited = await admin.edited(added, { title: 'Second drill' })
      const { title, version, updatedAt, ...others } = edited
      expect({ title, version, updatedAt }).toEqual({
        title: 'Second drill',
        version: 2,
        updatedAt: start.getTime() + 60_000,
      })
      expect(added).toMatchObject(others)
      const all = { title: 'Third', content: 'New.', category: 'LTS', pinned: 'false', draft: 'true' }
      expect(await admin.edited(edited, all)).toMatchObject({
        title: 'Third',
        contentHtml: '<p>New.</p>',
        category: 'LTS',
        pinned: false,
        state: 'draft',
        publishAt: null,
      })
    })

    test('leaves the time of publication unchanged though a form rounds it to the minute', async () => {
      pass(12_345)
      const added = await admin.added()
      const edited = await admin.edited(added, { title: 'Second drill', publishAt: '2026-11-21T08:00' })
      expect(edited.publishAt).toBe(added.publishAt)
    })

    test('without changes has no effect', async () => {
      const added = await admin.added({ publishAt: '2026-11-22T08:00' })
      pass(1_000)
      const same = { title: ' Drill ', content: 'At the gym.', publishAt: '2026-11-22T08:00', draft: 'false' }
      expect(await admin.edited(added, same)).toEqual(added)
      expect(await trail.actions()).toEqual(['announcement-added'])
    })

    test('is refused with a sentence', async () => {
      const { id, version } = await admin.added()
      expect(await refusalOf(admin.edit(id, version, { title: '', pinned: 'maybe' }))).toMatchObject({
        status: 422,
        errors: [
          { path: 'title', message: 'Title is required' },
          { path: 'pinned', message: 'Must be true or false.' },
        ],
      })
      expect(await refusalOf(admin.edit(id, version, JSON.stringify({ createdAt: 1 })))).toMatchObject({
        detail: 'These fields are not known here: createdAt.',
      })
      expect(await refusalOf(admin.call('PATCH', `/${id}`, { title: 'x' }))).toMatchObject({
        status: 422,
        detail: 'Please send the version that you saw as If-Match: "version".',
      })
      for (const missing of [unknownId, 'nothing']) {
        expect(await refusalOf(admin.edit(missing, 1, { title: 'x' }))).toEqual({
          status: 404,
          detail: 'Announcement not found',
        })
      }
    })

    test('on an older version is refused: of fifty at once, one wins', async () => {
      const { id } = await admin.added()
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, number) => admin.edit(id, 1, { title: `Edit ${number}` })),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 409)).toHaveLength(49)
      const winner = statuses.indexOf(200)
      expect(await admin.read(`/${id}`)).toMatchObject({ version: 2, title: `Edit ${winner}` })
      expect(await trail.actions()).toEqual(['announcement-added', 'announcement-edited'])
      expect(await refusalOf(admin.edit(id, 1, { title: 'x' }))).toMatchObject({
        status: 409,
        detail: 'Someone else changed this in the meantime. Please review the change and try again.',
      })
    })
  })

  describe('deleting', () => {
    test('removes it permanently', async () => {
      const { id } = await admin.added()
      expect((await admin.delete(id)).status).toBe(204)
      expect(await refusalOf(visitor.call('GET', `/${id}`))).toEqual({
        status: 404,
        detail: 'Announcement not found',
      })
      expect(await refusalOf(admin.delete(id))).toEqual({ status: 404, detail: 'Announcement not found' })
    })

    test('is undone within ten minutes: it is as it was, in every list and for its mail', async () => {
      const added = await admin.added()
      const lists = () =>
        Promise.all(['', '?all=true'].map((query) => admin.read<{ items: unknown[] }>(query)))
      await admin.delete(added.id)
      const empty = { items: [], nextCursor: null }
      expect(await lists()).toEqual([empty, empty])
      expect((await admin.edit(added.id, 2, { title: 'x' })).status).toBe(404)
      expect((await admin.call('POST', `/${added.id}/mail`)).status).toBe(404)
      expect(await refusalOf(visitor.restore(added.id))).toEqual({
        status: 401,
        detail: 'Only admins can delete announcements',
      })

      expect((await admin.restore(added.id)).status).toBe(204)
      const [publicList, managed] = await lists()
      expect(publicList?.items).toHaveLength(1)
      expect(managed?.items).toEqual([{ ...added, version: 3 }])
      // Only a deleted one, and only for a while.
      const tooLate = { status: 404, detail: 'This announcement can no longer be restored.' }
      expect(await refusalOf(admin.restore(added.id))).toEqual(tooLate)
      expect(await refusalOf(admin.restore('none'))).toEqual(tooLate)
      await admin.delete(added.id)
      await passUndo(server)
      expect(await refusalOf(admin.restore(added.id))).toEqual(tooLate)
      expect(await trail.actions()).toEqual([
        'announcement-added',
        'announcement-deleted',
        'announcement-restored',
        'announcement-deleted',
      ])
    })

    test('of an older version is refused', async () => {
      const added = await admin.added()
      const edited = await admin.edited(added, { title: 'Second drill' })
      expect(await refusalOf(admin.delete(added.id, added.version))).toEqual({
        status: 409,
        detail: 'Someone else changed this in the meantime. Please review the change and try again.',
      })
      expect(await admin.read(`/${added.id}`)).toEqual(edited)
      const nonsense = admin.call('DELETE', `/${added.id}`, undefined, { 'If-Match': 'any' })
      expect(await refusalOf(nonsense)).toMatchObject({
        status: 422,
        detail: 'Please send the version that you saw as If-Match: "version".',
      })
      expect((await admin.delete(edited.id, edited.version)).status).toBe(204)
      expect(await trail.actions()).toEqual([
        'announcement-added',
        'announcement-edited',
        'announcement-deleted',
      ])
    })
  })

  test('every change is in the audit trail, with the title and the fields', async () => {
    const added = await admin.added()
    const edited = await admin.edited(added, { title: 'Second drill', publishAt: '2026-12-01T08:00' })
    await admin.delete(edited.id)
    const entries = await trail.entries()
    expect(entries.map(({ action, subject, fields, actor }) => ({ action, subject, fields, actor }))).toEqual(
      [
        { action: 'announcement-added', subject: 'Drill', fields: [], actor: adminEmail },
        {
          action: 'announcement-edited',
          subject: 'Second drill',
          fields: ['title', 'publishAt'],
          actor: adminEmail,
        },
        { action: 'announcement-deleted', subject: 'Second drill', fields: [], actor: adminEmail },
      ],
    )
  })

  test('only the administrator changes announcements', async () => {
    const { id } = await admin.added()
    expect(await refusalOf(visitor.add({ title: 'a', content: 'b' }))).toEqual({
      status: 401,
      detail: 'Only admins can add announcements',
    })
    expect(await refusalOf(visitor.edit(id, 1, { title: 'a' }))).toEqual({
      status: 401,
      detail: 'Only admins can edit announcements',
    })
    expect(await refusalOf(visitor.delete(id))).toEqual({
      status: 401,
      detail: 'Only admins can delete announcements',
    })
    expect(await admin.read(`/${id}`)).toMatchObject({ title: 'Drill', version: 1 })
  })
})

describe('preview routes', () => {
  const path = '/announcements/preview'

  let previewRoutesServer: TestServer
  let admin: ReturnType<typeof createAdminClient>

  beforeAll(async () => {
    previewRoutesServer = await startTestServer()
    admin = createAdminClient(previewRoutesServer, await previewRoutesServer.signIn())
  })
  afterAll(() => previewRoutesServer.close())

  test('a content is formatted as for visitors, and nothing is stored', async () => {
    const response = await admin.call('POST', path, {
      content: '**Drill** at 7.\n\n<script>alert(1)</script>',
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      contentHtml: '<p><strong>Drill</strong> at 7.</p>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
    })
    const list = await admin.call('GET', '/announcements?all=true')
    expect(await list.json()).toEqual({ items: [], nextCursor: null })
  })

  test.each([
    ['no text', { content: 5 }, 'Please send the content as text.'],
    [
      'too long a text',
      { content: 'x'.repeat(20_001) },
      'Please shorten the content to 20,000 characters or fewer.',
    ],
  ])('%s is refused', async (_what, body, message) => {
    expect(await admin.refusal('POST', path, body)).toMatchObject({
      status: 422,
      errors: [{ path: 'content', message }],
    })
  })

  test('a preview without a session is refused', async () => {
    expect(
      await createAdminClient(previewRoutesServer, '').refusal('POST', path, { content: 'x' }),
    ).toMatchObject({
      status: 401,
      detail: 'Only admins can add announcements',
    })
  })
})
