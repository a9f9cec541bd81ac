import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import readWorkbook from 'read-excel-file/node'
import { expect, onTestFinished, test } from 'vitest'
import { addAttachment, beginReading } from '#tests/faults/attachments.ts'
import { until } from '#tests/faults/load.ts'
import { storeManyStudents } from '#tests/faults/product-database.ts'
import { startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'

const mebibyte = 1024 * 1024
// A machine of 1 GB without its own system. It holds the product and its database.
const limit = 768 * mebibyte
const records = 20_000

// Linux's control groups of version 2, and of version 1, which some machines still have.
const kinds = [
  {
    root: '/sys/fs/cgroup',
    limit: 'memory.max',
    withSwap: ['memory.swap.max', () => 0],
    events: 'memory.events',
  },
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    withSwap: ['memory.memsw.limit_in_bytes', (bytes: number) => bytes],
    events: 'memory.oom_control',
  },
] as const

/** Processes that may have so much memory together; undefined where this user or this system can't limit it. */
function createGroup(bytes: number) {
  const name = `nstp-${randomUUID()}`
  const kind = kinds.find(({ root, limit }) => {
    const folder = join(root, name)
    try {
      mkdirSync(folder)
    } catch {
      return false
    }
    if (existsSync(join(folder, limit))) return true
    rmdirSync(folder)
    return false
  })
  if (!kind) return undefined
  const folder = join(kind.root, name)
  const inFolder = (file: string) => join(folder, file)
  const [swapFile, swapOf] = kind.withSwap
  writeFileSync(inFolder(kind.limit), String(bytes))
  if (existsSync(inFolder(swapFile))) writeFileSync(inFolder(swapFile), String(swapOf(bytes)))
  const read = (file: string) => readFileSync(inFolder(file), 'utf8')
  return {
    launcher: ['sh', '-c', `echo $$ > ${inFolder('cgroup.procs')} && exec "$0" "$@"`],
    killed: () => Number(/^oom_kill (\d+)/m.exec(read(kind.events))?.[1]),
    async remove() {
      await until('its processes have ended', () => read('cgroup.procs') === '')
      rmdirSync(folder)
    },
  }
}

/** How a process that takes more than the group's limit ends. */
async function takeTooMuch(): Promise<NodeJS.Signals | null | undefined> {
  const group = createGroup(limit)
  const [program = '', ...rest] = [...(group?.launcher ?? []), process.execPath, '-e']
  const taking = `Array.from({ length: 2 * ${limit / mebibyte} }, () => Buffer.alloc(${mebibyte}, 1))`
  const { signal } = spawnSync(program, [...rest, taking])
  await group?.remove()
  return signal
}

test('in a machine of 1 GB uploads, exports, lists and slow readers together are all answered', async ({
  skip,
}) => {
  const group = createGroup(limit)
  if (!group) return skip('needs root, and a control group of Linux that limits memory')
  onTestFinished(group.remove)
  expect(await takeTooMuch()).toBe('SIGKILL')

  const product = await startProduct(
    // As npm start does.
    { LOG_LEVEL: 'warn', NODE_OPTIONS: '--max-old-space-size=400' },
    [],
    { launcher: group.launcher },
  )
  onTestFinished(product.remove)
  const { url } = product
  await storeManyStudents(product.dataDir, records, 640)
  const cookie = await signInOverHttp(url)
  const { path = '' } = await addAttachment(url, cookie)
  const readers = await Promise.all(Array.from({ length: 300 }, () => beginReading(url, path)))
  expect(new Set(readers.map(({ line }) => line))).toEqual(new Set(['HTTP/1.1 200 OK']))

  const get = (address: string) => fetch(url + address, { headers: { cookie } })
  const others = [
    '/api/students?pageSize=100',
    '/api/students?search=Name%2017',
    '/api/statistics',
    '/register',
  ]
  let isLoading = true
  async function askAgain(address: string) {
    const statuses = new Set<number>()
    while (isLoading) {
      const answer = await get(address)
      await answer.arrayBuffer()
      statuses.add(answer.status)
    }
    return [address, ...statuses]
  }
  const asking = Promise.all(others.map(askAgain))
  const download = async () => (await get('/api/students/export.xlsx')).arrayBuffer()
  const refusals = new Set<number>()
  async function upload() {
    for (let status = 0; status !== 201; ) {
      status = (await addAttachment(url, cookie)).status
      if (status !== 201) refusals.add(status)
    }
  }
  const [files] = await Promise.all([
    // More are refused.
    Promise.all([download(), download()]),
    Promise.all(Array.from({ length: 20 }, upload)),
  ]).finally(() => {
    isLoading = false
  })
  expect(await asking).toEqual(others.map((address) => [address, 200]))
  expect([...refusals].filter((status) => status !== 503)).toEqual([])
  for (const file of files) {
    const [sheet] = await readWorkbook(Buffer.from(file))
    expect(sheet?.data).toHaveLength(records + 1)
  }
  expect([product.process.exitCode, product.process.signalCode, group.killed()]).toEqual([null, null, 0])
  for (const { socket } of readers) socket.destroy()
})
