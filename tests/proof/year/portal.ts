import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { startEmbeddedServer } from '#server/database/server.ts'
import { until } from '#tests/faults/load.ts'
import { findFreePort } from '#tests/setup/free-port.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'
import type { Random } from './random.ts'

const processes = 3
export const secretKey = 'the secret key that all processes of this school have'

export type Portal = Awaited<ReturnType<typeof startPortal>>

/** Three processes of the product on one database of the school. @param kills whether they are killed at all */
export async function startPortal(random: Random, kills: boolean) {
  const folder = makeTemporaryFolder()
  const server = await startEmbeddedServer({
    dataDir: join(folder.path, 'school'),
    log: pino({ level: 'silent' }),
    settings: { max_connections: '200' },
  })
  const { host = '', port = 5432, database = '' } = server.connection
  const urlOf = (user: string | undefined) =>
    `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  const databaseEnv = {
    DATABASE_URL: urlOf(server.productRole),
    DATABASE_OWNER_URL: urlOf(server.connection.user),
  }
  const ports = await Promise.all(Array.from({ length: processes }, findFreePort))
  const products: Product[] = []
  const killed = { processes: 0, database: 0 }

  const start = (index: number, keepsFirstPassword: boolean) =>
    startProduct(
      {
        ...databaseEnv,
        DATA_DIR: join(folder.path, `data-${index}`),
        PORT: String(ports[index]),
        SECRET_KEY: secretKey,
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
      },
      [],
      { keepsFirstPassword },
    )

  async function remove() {
    await Promise.all(products.map((product) => product.stop()))
    await server.stop()
    folder.remove()
  }

  try {
    for (let index = 0; index < processes; index++) products.push(await start(index, index > 0))
  } catch (error) {
    await remove()
    throw error
  }

  async function killProcess() {
    const index = random.int(processes)
    const product = products[index]
    if (!product) return
    const exited = once(product.process, 'exit')
    product.process.kill('SIGKILL')
    await exited
    killed.processes += 1
    products[index] = await start(index, true)
  }

  async function killDatabase() {
    const pid = server.pid()
    if (pid === undefined) return
    process.kill(pid, 'SIGKILL')
    killed.database += 1
    await until('the database runs again', () => ![undefined, pid].includes(server.pid()), 60_000)
  }

  let turns = 0

  /** Once: a process, or each third time the database. */
  async function kill() {
    turns += 1
    await (turns % 3 === 0 ? killDatabase() : killProcess())
  }

  return {
    killed,
    connection: server.connection,
    /** Of one of its processes. */
    url: (index: number) => products[index % processes]?.url ?? '',
    /** Does one thing, in the midst of which something is killed. */
    async amid<T>(action: () => Promise<T>, withinMs = 1_500): Promise<T> {
      if (!kills) return await action()
      const killing = async () => {
        await sleep(random.int(withinMs))
        await kill()
      }
      const [result] = await Promise.all([action(), killing()])
      return result
    },
    /** Kills again and again while something long is done. */
    async during<T>(action: () => Promise<T>, everyMs = 6_000): Promise<T> {
      if (!kills) return await action()
      let isDone = false
      const work = action().finally(() => {
        isDone = true
      })
      const killing = async () => {
        for (;;) {
          await sleep(random.int(everyMs))
          if (isDone) return
          await kill()
        }
      }
      const [result] = await Promise.all([work, killing()])
      return result
    },
    async query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
      const client = new pg.Client(server.connection)
      await client.connect()
      try {
        return (await client.query<Row>(text)).rows
      } finally {
        await client.end()
      }
    },
    remove,
  }
}
