import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openBackupFile, verifyBackup } from '#server/features/backup/backup-file.ts'
import { addAttachment } from '#tests/faults/attachments.ts'
import { enlist, until } from '#tests/faults/load.ts'
import { startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'

// A disk of its own needs the right to mount one.
const canMount = process.platform === 'linux' && process.getuid?.() === 0

test.runIf(canMount)('a full disk refuses uploads and records, loses none, and heals by itself', async () => {
  const folder = makeTemporaryFolder()
  const disk = join(folder.path, 'disk')
  mkdirSync(disk, { mode: 0o755 })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tmpfs', disk])
  onTestFinished(() => {
    execFileSync('umount', ['-l', disk])
    folder.remove()
  })
  const product = await startProduct({
    DATA_DIR: join(disk, 'data'),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  })
  onTestFinished(async () => {
    await product.stop()
  })
  const cookie = await signInOverHttp(product.url)
  const upload = async () => (await addAttachment(product.url, cookie)).status
  const ids: string[] = []
  async function record(): Promise<number> {
    const { status, id } = await enlist(product.url)
    if (id) ids.push(id)
    return status
  }
  expect([await upload(), await record()]).toEqual([201, 201])

  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(join(disk, 'others'), Buffer.alloc(bavail * bsize - 1_000_000, 1))
  const refused = new Set<number>()
  await until('an upload is refused', async () => {
    const status = await upload()
    if (status !== 201) refused.add(status)
    return refused.size > 0
  })
  expect([...refused]).toEqual([503])
  // Small records may still fit.
  for (let count = 0; count < 20; count++) expect(await record()).toBeOneOf([201, 503])
  // A backup is whole, or refused in a sentence: never begun and cut off.
  const passphrase = 'the backup of a full disk'
  const backup = await fetch(`${product.url}/api/backup`, {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify({ passphrase }),
  })
  const kept = join(folder.path, 'full-disk.nstp')
  writeFileSync(kept, Buffer.from(await backup.arrayBuffer()))
  if (backup.status === 200) await verifyBackup(await openBackupFile(kept, async () => passphrase))
  else
    expect([backup.status, readFileSync(kept, 'utf8')]).toEqual([
      503,
      expect.stringContaining('The database'),
    ])
  expect(product.process.exitCode).toBeNull()

  rmSync(join(disk, 'others'))
  await until('uploads are stored again', async () => (await upload()) === 201, 60_000)
  expect(await record()).toBe(201)
  const list = await fetch(`${product.url}/api/students?pageSize=100`, { headers: { Cookie: cookie } })
  const { items }: { items: { id: string }[] } = await list.json()
  const stored = items.map(({ id }) => id)
  expect(ids.filter((id) => !stored.includes(id))).toEqual([])
})
