import { createAdminClient } from './admin-client.ts'
import { signInAs } from './people.ts'
import { startProduct } from './product.ts'
import { startTestServer, testSecretKey } from './test-server.ts'

/** A server in this process and the built product beside it on one database, with an administrator at each. */
export async function startTwoProcesses(env: Record<string, string> = {}) {
  const server = await startTestServer({ env })
  const product = await startProduct(
    { DATABASE_URL: server.database.url, SECRET_KEY: testSecretKey.toString(), RATE_LIMITS: 'off', ...env },
    [],
    { keepsFirstPassword: true },
  )
  const [ana, ben] = [await signIn(), await signIn()]

  async function signIn() {
    return await signInAs(server, { role: 'administrator', components: [] })
  }

  return {
    server,
    ana: { ...ana, url: server.url, ...createAdminClient(server, ana.cookie) },
    ben: { ...ben, url: product.url, ...createAdminClient(product, ben.cookie) },
    async close() {
      await product.remove()
      await server.close()
    },
  }
}
