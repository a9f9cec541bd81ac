import type { Transaction } from 'kysely'
import { v7 as createId } from 'uuid'
import type { Tables } from '#server/database/schema.ts'
import { createCode } from '#server/lib/code.ts'
import { sha256 } from '#server/lib/digest.ts'
import { slipLength } from '#shared/my/my.ts'
import { addRequest, addSlip, findShown } from './demo-repository.ts'

const hoursMs = 3_600_000

/**
 * Slips and requests, for the page of a student.
 * @returns how to open it: without a mail account only a slip makes the second step
 */
export async function fillOwnPage(tx: Transaction<Tables>, now: Date): Promise<string> {
  const rows = await findShown(tx)
  const slips = rows.map((student) => ({ ...student, code: createCode(slipLength) }))
  for (const { id: studentId, contactNumber, code } of slips) {
    await addSlip(tx, { studentId, slipHash: sha256(code), slipMadeAt: now })
    await addRequest(tx, {
      id: createId(),
      studentId,
      kind: 'correction',
      askedAt: new Date(now.getTime() - 20 * hoursMs),
      changes: { contactNumber: { from: contactNumber, to: '0917 555 0100' } },
      reason: 'I have a new number.',
    })
  }
  const ways = slips.map(
    ({ reference, dateOfBirth, code }) => `${reference}, born ${dateOfBirth}, slip ${code}`,
  )
  return `A student’s own page is at /my: ${ways.join('; ')}.`
}
