import { createOptOutHash, createOptOutRepository } from '#server/features/mail/opt-outs-repository.ts'
import { createAdminClient } from './admin-client.ts'
import { createAuditTrail } from './audit-trail.ts'
import { type MailSink, startMailSink } from './mail-sink.ts'
import { startTestServer, testKeys } from './test-server.ts'

// In ms.
const timeoutMs = 20_000

export type MailFixture = Awaited<ReturnType<typeof openMailFixture>>

export async function openMailFixture() {
  const sink = await startMailSink()
  const server = await startTestServer()
  const { db } = server.database
  const admin = createAdminClient(server, await server.signIn())
  const anonymous = createAdminClient(server, '')

  async function done(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
    const response = await admin.call(method, path, body, headers)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? undefined : await response.json()
  }

  async function change(settings: object): Promise<void> {
    const { version } = await done('GET', '/settings')
    await done('PATCH', '/settings', settings, { 'If-Match': `"${version}"` })
  }

  const allow = (mailPerMinute: number) => change({ mailPerMinute, mailPerDay: 1_000_000 })

  return {
    server,
    sink,
    admin,
    anonymous,
    db,
    trail: createAuditTrail(server.database),
    async configure(account: MailSink['account'] = sink.account) {
      const { senderAddress, password, host, port, secure } = account
      await done('POST', '/update-email-config', {
        emailUser: senderAddress,
        emailPassword: password,
        ...{ host, port, secure },
      })
      await allow(10_000)
    },
    forget: () => done('DELETE', '/mail/account'),
    optOut: (address: string) =>
      createOptOutRepository(db, createOptOutHash(testKeys)).add(address, new Date()),
    done,
    // Messages a minute.
    allow,
    setAddress: (publicAddress: string) => change({ publicAddress }),
    async allEnded() {
      for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
        const waiting = await db
          .selectFrom('mailMessages')
          .select('id')
          .where('state', 'in', ['queued', 'sending'])
          .limit(1)
          .executeTakeFirst()
        if (!waiting) return
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error(`mail was still waiting after ${timeoutMs} ms`)
    },
    async clear() {
      for (const table of ['mailMessages', 'mailBatches', 'mailOptOuts', 'students'] as const) {
        await db.deleteFrom(table).execute()
      }
      sink.reset()
    },
    async close() {
      await server.close()
      await sink.close()
    },
  }
}
