import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { configureMail } from '#tests/setup/configure-mail.ts'
import { storeMailAccount } from '#tests/setup/mail-account.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { until } from '#tests/setup/mail-worker-fixture.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const key = randomUUID()
const unreachable = /Could not reach the mail server\./

describe('after the mail server was unreachable, and with two processes, a saved and tested account', () => {
  let database: TestDatabase
  let server: TestServer
  let other: TestServer
  let cookie: string
  let sink: MailSink
  let dead: MailSink

  beforeEach(async () => {
    ;[database, sink, dead] = await Promise.all([createTestDatabase(), startMailSink(), startMailSink()])
    await dead.close()
    await storeMailAccount(database, dead.account)
    ;[server, other] = await Promise.all([startTestServer({ database }), startTestServer({ database })])
    cookie = await server.signIn()
  })
  afterEach(async () => {
    await Promise.all([server.close(), other.close()])
    await Promise.all([database.close(), sink.close()])
  })

  async function send(by: TestServer, to: string, key?: string) {
    const response = await createAdminClient(by, cookie).call(
      'POST',
      '/send-email',
      { to, subject: 'Drill', message: 'Please come at seven.' },
      key === undefined ? {} : { 'Idempotency-Key': key },
    )
    return { status: response.status, ...(await response.json()) }
  }

  async function becomeUnreachable() {
    for (const by of [server, other]) {
      await until('each process has noticed it', async () =>
        unreachable.test((await send(by, 'before@x.edu')).message),
      )
    }
  }

  test('sends the next mails of both processes at once', async () => {
    await becomeUnreachable()
    await configureMail(server.url, cookie, sink.account)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => send(index % 2 === 0 ? server : other, `after${index}@x.edu`)),
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  })

  test('sends a mail that is sent again with its key', async () => {
    await becomeUnreachable()
    expect(await send(server, 'first@x.edu', key)).toMatchObject({ status: 202 })
    await configureMail(server.url, cookie, sink.account)
    expect(await send(server, 'first@x.edu', key)).toMatchObject({ status: 200 })
  })

  test('sends also when the account is the same as before', async () => {
    await becomeUnreachable()
    const revived = await startMailSink({ port: dead.port })
    try {
      await configureMail(server.url, cookie, revived.account)
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) => send(server, `after${index}@x.edu`)),
      )
      expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    } finally {
      await revived.close()
    }
  })
})
