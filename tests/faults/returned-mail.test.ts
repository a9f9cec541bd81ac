// @module-tag rest
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNotices, type Notices } from '#server/database/notices.ts'
import type { Mailbox } from '#server/features/mail/mailbox-reader.ts'
import { createMailboxCheck } from '#server/features/mail/returned-service.ts'
import { exchangeReport, gmailReport, plainReport, postfixReport } from '#tests/factories/delivery-reports.ts'
import { storeSentMessage } from '#tests/factories/sent-message.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { hasDovecot, type MailServer, startDovecot } from '#tests/setup/dovecot.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'

const log = pino({ level: 'silent' })

describe.skipIf(!hasDovecot)('reading a mailbox for returned mail', () => {
  let server: MailServer
  let database: TestDatabase
  let notices: Notices
  let closing: AbortController

  beforeEach(async () => {
    ;[server, database] = await Promise.all([startDovecot(), createTestDatabase()])
    notices = createNotices({ db: database.db, listenWith: database.connection, log })
    closing = new AbortController()
  })
  afterEach(async () => {
    closing.abort()
    await notices.close()
    await Promise.all([database.close(), server.close()])
  })

  function createCheck(mailbox: Mailbox | null = server.mailbox) {
    return createMailboxCheck({
      mailbox: () => mailbox,
      database,
      notices,
      clock: () => new Date(),
      log,
      closing: closing.signal,
    })
  }

  function bounces() {
    return database.db.selectFrom('mailBounces').selectAll().orderBy('mailboxUid').execute()
  }

  function state() {
    return database.db.selectFrom('mailMailbox').selectAll().executeTakeFirstOrThrow()
  }

  test('finds returned mail with its message and student, and changes nothing in the mailbox', async () => {
    const student = await storeStudent(database, { email: 'Juan@example.edu' })
    const messageId = await storeSentMessage(database, {
      studentId: student.id ?? null,
      recipient: 'Juan@example.edu',
    })
    const full = await storeSentMessage(database, { recipient: 'ana@example.edu' })
    server.deliver('From: Ana <ana@example.edu>\r\nSubject: Question\r\n\r\nWhen is the drill?\r\n')
    server.deliver(postfixReport({ messageId, recipient: 'juan@example.edu' }))
    server.deliver(gmailReport({ messageId: full, recipient: 'ana@example.edu' }))
    const before = server.files()

    await createCheck().now(20_000)

    expect(await bounces()).toEqual([
      expect.objectContaining({
        messageId,
        studentId: student.id,
        recipient: 'Juan@example.edu',
        status: '5.1.1',
        diagnostic: expect.stringContaining('User unknown'),
        resolvedAt: null,
      }),
      expect.objectContaining({ messageId: full, studentId: null, status: '5.2.2' }),
    ])
    expect(await state()).toMatchObject({ lastUid: '3', failure: '', claim: null, claimedUntil: null })
    // No message is flagged: a flag would be a letter after ':2,'.
    expect(
      server
        .files()
        .map((name) => name.replace(/:2,$/, ''))
        .sort(),
    ).toEqual(before.sort())
  })

  test('reads each message once over several processes, and continues with new ones', async () => {
    const messages = await Promise.all(
      Array.from({ length: 120 }, (_, at) =>
        storeSentMessage(database, { recipient: `student${at}@example.edu` }),
      ),
    )
    const reports = messages.map((messageId, at) =>
      postfixReport({ messageId, recipient: `student${at}@example.edu` }),
    )
    for (const report of reports.slice(0, 110)) server.deliver(report)
    const checks = Array.from({ length: 4 }, () => createCheck())
    await Promise.all(checks.map((check) => check.now(30_000)))
    expect(await bounces()).toHaveLength(110)

    for (const report of reports.slice(110)) server.deliver(report)
    await checks[0]?.now(30_000)
    expect(await bounces()).toHaveLength(120)
    expect(await state()).toMatchObject({ lastUid: '120' })
  })

  test('stores only reports about sent messages', async () => {
    const queued = await storeSentMessage(database, {
      state: 'queued',
      endedAt: null,
      recipient: 'q@example.edu',
    })
    const old = new Date(Date.now() - 30 * 24 * 60 * 60_000)
    await storeSentMessage(database, { recipient: 'old@example.edu', endedAt: old })
    await storeSentMessage(database, { recipient: 'known@example.edu' })
    server.deliver(postfixReport({ messageId: randomUUID(), recipient: 'stranger@example.edu' }))
    server.deliver(exchangeReport({ messageId: queued, recipient: 'q@example.edu' }))
    server.deliver(plainReport({ messageId: 'none', recipient: 'old@example.edu' }))
    server.deliver(plainReport({ messageId: 'none', recipient: 'Known@Example.edu' }))
    await createCheck().now(20_000)
    expect(await bounces()).toEqual([
      expect.objectContaining({ messageId: null, recipient: 'known@example.edu' }),
    ])
  })

  test('a report that names none of the messages is about no student, and settles none before it', async () => {
    const student = await storeStudent(database, { email: 'juan@example.edu' })
    const messageId = await storeSentMessage(database, {
      studentId: student.id ?? null,
      recipient: 'juan@example.edu',
    })
    server.deliver(postfixReport({ messageId, recipient: 'juan@example.edu' }))
    server.deliver(postfixReport({ messageId: randomUUID(), recipient: 'juan@example.edu' }))
    await createCheck().now(20_000)
    expect(await bounces()).toEqual([
      expect.objectContaining({ messageId, studentId: student.id, resolvedAt: null }),
      expect.objectContaining({ messageId: null, studentId: null, resolvedAt: null }),
    ])
  })

  test('skips broken and hostile messages, and reads the following ones', async () => {
    const messageId = await storeSentMessage(database)
    const nested = Array.from(
      { length: 300 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    )
    const head = 'From: MAILER-DAEMON@example.edu\r\n'
    server.deliver(head + nested.join(''))
    server.deliver(
      `${head}Content-Type: multipart/report; report-type=delivery-status; boundary=x\r\n\r\n--x\r\n\0\0`,
    )
    server.deliver(Buffer.concat([Buffer.from(`${head}\r\n`), Buffer.alloc(8_000_000, 0xff)]))
    server.deliver(`${head}X-Failed-Recipients: ${'a@example.edu, '.repeat(5_000)}\r\n\r\n`)
    server.deliver(postfixReport({ messageId, recipient: 'juan@example.edu' }))
    await createCheck().now(30_000)
    expect(await bounces()).toEqual([expect.objectContaining({ messageId })])
    expect(await state()).toMatchObject({ lastUid: '5', failure: '' })
  })

  test('lists an address once: a later report replaces the earlier one', async () => {
    const [first, second] = [await storeSentMessage(database), await storeSentMessage(database)]
    server.deliver(postfixReport({ messageId: first, recipient: 'juan@example.edu' }))
    server.deliver(gmailReport({ messageId: second, recipient: 'juan@example.edu' }))
    await createCheck().now(20_000)
    const open = (await bounces()).filter(({ resolvedAt }) => resolvedAt === null)
    expect(open).toEqual([expect.objectContaining({ messageId: second, status: '5.2.2' })])
  })

  test('says why a mailbox can’t be read, and clears the reason afterwards', async () => {
    await createCheck({ ...server.mailbox, password: 'wrong' }).now(20_000)
    expect((await state()).failure).toBe(
      `The mail server at 127.0.0.1, port ${server.mailbox.port} refused the sign-in. Check the user name and the app password, and that the account allows IMAP.`,
    )
    await createCheck({ ...server.mailbox, host: 'nowhere.invalid' }).now(20_000)
    expect((await state()).failure).toBe(
      'There is no mail server at nowhere.invalid. Check the address of the server.',
    )
    await createCheck().now(20_000)
    expect(await state()).toMatchObject({ failure: '', claim: null })
  })

  test('does not wait for a server that does not answer', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const began = Date.now()
    const check = createCheck({ ...server.mailbox, port })
    await check.now(500)
    expect(Date.now() - began).toBeLessThan(5_000)
    expect(await state()).toMatchObject({ checkedAt: null, claim: expect.any(String) })
    closing.abort()
    await check.close()
    // The lease is released, and an aborted check stores no failure.
    expect(await state()).toMatchObject({ checkedAt: null, claim: null, failure: '' })
    silent.close()
  })

  test('does nothing where no mailbox is configured', async () => {
    await createCheck(null).now(5_000)
    expect(await database.db.selectFrom('mailMailbox').selectAll().execute()).toEqual([])
  })
})
