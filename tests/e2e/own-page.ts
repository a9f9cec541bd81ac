import { createHash, randomBytes } from 'node:crypto'
import { queryDatabase } from '#tests/faults/product-database.ts'
import type { Product } from '#tests/setup/product.ts'

/** The `Cookie` header of a student past the second step of /my. `where` chooses the record, in SQL. */
export async function openOwnPage({ dataDir }: Product, where: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(token).digest('hex')
  await queryDatabase(
    dataDir,
    `insert into student_sessions (token_hash, student_id, created_at, last_used_at, opened_at)
     select '\\x${hash}', id, now(), now(), now() from students where ${where}`,
  )
  return `nstp-student=${token}`
}
