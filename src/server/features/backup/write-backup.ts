import { createHash } from 'node:crypto'
import { type BackupOrigin, createHeader, type RowCounts } from './format.ts'
import type { Snapshot } from './snapshot-repository.ts'

interface WriteOptions {
  snapshot: Snapshot
  tables: readonly string[]
  origin: BackupOrigin
  /** Called when all rows are out. The last line, without which a file is none, waits for it. */
  beforeEnd: (rows: RowCounts) => Promise<void>
}

/** The lines of a backup, many at a time, before they are compressed. */
export async function* writeBackup(options: WriteOptions): AsyncGenerator<Buffer> {
  const { snapshot, tables, origin, beforeEnd } = options
  const hash = createHash('sha256')
  const rows: RowCounts = {}

  function write(text: string): Buffer {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    return bytes
  }

  const header = createHeader({ ...origin, migrations: snapshot.migrations, tables: [...tables] })
  yield write(`${JSON.stringify(header)}\n`)
  for (const table of tables) {
    const { columns, batches } = await snapshot.openTable(table)
    yield write(`${JSON.stringify({ table, columns })}\n`)
    let count = 0
    for await (const lines of batches) {
      count += lines.length
      yield write(`${lines.join('\n')}\n`)
    }
    rows[table] = count
    yield write('\n')
  }
  await beforeEnd(rows)
  yield Buffer.from(`${JSON.stringify({ rows, sha256: hash.digest('hex') })}\n`)
}
