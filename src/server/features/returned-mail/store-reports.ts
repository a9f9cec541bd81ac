import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import { createBouncesRepository } from './bounces-repository.ts'
import type { DeliveryReport, Failure } from './delivery-report.ts'
import { createMatchingRepository, type SentMessage } from './matching-repository.ts'

/** A report as it was found in the mailbox. */
export interface FoundReport {
  report: DeliveryReport
  /** The mailbox and the message's number in it: what tells it from every other. */
  mailboxUid: string
  receivedAt: Date
}

/** How far back a report may speak of a message without naming it, in milliseconds: servers give up after five days. */
const unnamedMs = 7 * 24 * 60 * 60_000

interface Match {
  message: SentMessage
  failure: Failure
}

/**
 * Keeps those reports that are about messages that we really sent.
 *
 * @param tx the transaction that also notes how far the mailbox was read
 * @returns how many are new
 */
export async function storeReports(tx: Queryable, found: readonly FoundReport[], now: Date): Promise<number> {
  const matching = createMatchingRepository(tx)
  const bounces = createBouncesRepository(tx)
  const byId = new Map(
    (await matching.findByIds(found.flatMap(({ report }) => report.messageIds))).map((message) => [
      message.id,
      message,
    ]),
  )
  const unnamed = found.filter(({ report }) => !report.messageIds.some((id) => byId.has(id)))
  const addresses = unnamed.flatMap(({ report }) => report.failures.map(({ recipient }) => recipient))
  const byAddress = new Map(
    (await matching.findByRecipients(addresses, new Date(now.getTime() - unnamedMs))).map((message) => [
      message.recipient.toLowerCase(),
      message,
    ]),
  )
  const matched = found.flatMap((entry) => {
    const match = matchById(entry.report, byId) ?? matchByAddress(entry.report, byAddress)
    return match ? [{ ...entry, ...match }] : []
  })
  const withoutStudent = matched.filter(({ message }) => message.studentId === null)
  const students = await matching.findStudents(
    withoutStudent.map(({ message }) => message.recipient.toLowerCase()),
  )

  let stored = 0
  for (const { message, failure, mailboxUid, receivedAt } of matched) {
    const isNew = await bounces.insert({
      id: createId(),
      messageId: message.id,
      studentId: message.studentId ?? students.get(message.recipient.toLowerCase()) ?? null,
      recipient: message.recipient,
      // A mailbox's clock may be ahead of ours.
      receivedAt: receivedAt > now ? now : receivedAt,
      status: failure.status,
      diagnostic: failure.diagnostic,
      mailboxUid,
    })
    if (isNew) stored += 1
  }
  return stored
}

/** A message has one recipient: what else failed is where that address is forwarded to. */
function matchById(
  { messageIds, failures }: DeliveryReport,
  byId: ReadonlyMap<string, SentMessage>,
): Match | null {
  const message = messageIds.map((id) => byId.get(id)).find((known) => known !== undefined)
  const failure =
    failures.find(({ recipient }) => recipient === message?.recipient.toLowerCase()) ?? failures[0]
  return message && failure ? { message, failure } : null
}

function matchByAddress(
  { failures }: DeliveryReport,
  byAddress: ReadonlyMap<string, SentMessage>,
): Match | null {
  for (const failure of failures) {
    const message = byAddress.get(failure.recipient)
    if (message) return { message, failure }
  }
  return null
}
