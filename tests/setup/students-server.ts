import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createAdminClient } from './admin-client.ts'
import { type AuditTrail, createAuditTrail } from './audit-trail.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts'

/** The server of a test file, with a signed-in administrator. Each test begins without students and audit trail. */
export function startStudentsServer(options: TestServerOptions = {}) {
  let server: TestServer
  let admin: ReturnType<typeof createAdminClient>
  let trail: AuditTrail

  beforeAll(async () => {
    server = await startTestServer(options)
    admin = createAdminClient(server, await server.signIn())
    trail = createAuditTrail(server.database)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.database.db.deleteFrom('students').execute()
    await trail.clear()
  })

  return {
    get server() {
      return server
    },
    get database() {
      return server.database
    },
    get admin() {
      return admin
    },
    get trail() {
      return trail
    },
  }
}
