import type { SendingAccount } from '#server/features/mail/mailer.ts'
import { createSealedSecrets } from '#server/lib/sealed-secret.ts'
import { type MailSink, type MailSinkOptions, startMailSink } from './mail-sink.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { startTestServer, type TestServer } from './test-server.ts'

// Call it before the server starts.
export async function storeMailAccount(
  { db }: Pick<TestDatabase, 'db'>,
  { senderAddress, senderName, userName, password, host, port, secure }: SendingAccount,
): Promise<void> {
  const secrets = createSealedSecrets({
    // The key of every test server.
    secretKey: Buffer.from('the secret key of every test server'),
    purpose: 'mail account',
  })
  await db
    .insertInto('mailAccount')
    .values({
      senderAddress,
      senderName,
      userName,
      password: secrets.seal(password),
      host,
      port,
      secure,
      imapHost: '',
      imapPort: 993,
      updatedAt: new Date(),
    })
    .execute()
}

interface MailingServer {
  server: TestServer
  sink: MailSink
  close: () => Promise<void>
}

export async function startMailingServer(
  options: { env?: Record<string, string>; sink?: MailSinkOptions } = {},
): Promise<MailingServer> {
  const sink = await startMailSink(options.sink)
  const database = await createTestDatabase()
  await storeMailAccount(database, sink.account)
  const server = await startTestServer({ database, ...(options.env ? { env: options.env } : {}) })
  return {
    server,
    sink,
    async close() {
      await server.close()
      await database.close()
      await sink.close()
    },
  }
}
