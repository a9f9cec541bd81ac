import { timingSafeEqual } from 'node:crypto'
import type { Queryable } from '#server/database/schema.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { sleep } from '#server/lib/scheduler.ts'
import { mySentences, slipDays } from '#shared/my/my.ts'
import { createEntryConfirmation, createEntryReader } from './entry-repository.ts'
import { codeSubject, createMissRepository, type MissSubject, networkSubject } from './miss-repository.ts'

export interface Sender {
  network: string
  isOfSchool: boolean
}

/** A right entry: whose record it opens, and what is no longer counted. */
export interface RightEntry {
  studentId: string
  settle: (tx: Queryable) => Promise<void>
}

type EntryOptions = Pick<AppContext, 'database' | 'clock' | 'env'>

/** Finds the record of an entry. What is unknown, wrong, rejected or erased is answered alike, and after the same statements. */
export function createEntries({ database, clock, env }: EntryOptions) {
  const find = createEntryReader(database)
  const misses = createMissRepository(database.db)

  const networkOfSender = ({ network, isOfSchool }: Sender) =>
    env.RATE_LIMITS === 'on' ? [networkSubject(network, isOfSchool)] : []

  /** What refuses the next entry now, and when the last place of that count was taken. */
  async function readRefusal(subjects: readonly MissSubject[], now: Date) {
    const rows = await misses.read(subjects)
    for (const subject of subjects) {
      const row = rows.find((one) => one.subject === subject.key)
      if (!row) continue
      const { total, since, lastAt } = row
      if (subject.inAll !== null && total >= subject.inAll) {
        return { lastAt, error: new AppError('too_many_requests', mySentences.slipOnly) }
      }
      const endsAt = since.getTime() + subject.withinMs
      if (row.misses < subject.most || endsAt <= now.getTime()) continue
      return { lastAt, error: refusal(subject, Math.ceil((endsAt - now.getTime()) / 1000)) }
    }
    return null
  }

  /** Race: in one transaction, so that a place of one subject is given back where another has none. */
  async function tryPlaces(subjects: readonly MissSubject[], now: Date): Promise<boolean> {
    try {
      await database.transact(async (tx) => {
        const taken = await createMissRepository(tx).take(subjects, now)
        if (taken < subjects.length) throw new NoPlace()
      })
      return true
    } catch (error) {
      if (error instanceof NoPlace) return false
      throw error
    }
  }

  /** Race: counted before anything is looked up, so that parallel guesses can't pass. A right entry gives its place back. */
  async function takePlaces(subjects: readonly MissSubject[], now: Date): Promise<void> {
    if (subjects.length === 0) return
    for (const isFirst of [true, false]) {
      // During a pause entries are refused by a read: they neither wait for the row's lock nor block others.
      const refused = await readRefusal(subjects, now)
      if (refused && now.getTime() - refused.lastAt.getTime() >= underWayMs) throw refused.error
      if (!refused && (await tryPlaces(subjects, now))) return
      // The places may be those of right entries that are under way.
      if (isFirst) await sleep(waitMs)
    }
    throw new AppError('too_many_requests', { detail: mySentences.moment, retryAfter: 1 })
  }

  return {
    /** @param browserId of a browser that opened the code before */
    async byBirthDate(
      { reference, dateOfBirth }: { reference: string; dateOfBirth: string },
      browserId: string | null,
      sender: Sender,
    ): Promise<RightEntry> {
      const now = clock()
      // Strangers behind the same address lock no browser out that opened the record before.
      const network = browserId === null ? networkOfSender(sender) : []
      await takePlaces([codeSubject(reference, browserId), ...network], now)
      const studentId = await find.byBirthDate(reference, dateOfBirth)
      if (studentId === undefined) throw invalid('reference', mySentences.notFound)
      const codes = [codeSubject(reference, null), codeSubject(reference, browserId)]
      return {
        studentId,
        async settle(tx) {
          const isRight = await createEntryConfirmation(tx).isOfBirthDate(studentId, reference, dateOfBirth)
          if (!isRight) throw invalid('reference', mySentences.notFound)
          await settle(tx, codes, network, now)
        },
      }
    },

    /**
     * Nobody guesses a slip, so a right one is never refused: only misses take a place, of the network alone. It opens a
     * code whose birth date was guessed at.
     */
    async bySlip(
      { reference, code }: { reference: string; code: string },
      sender: Sender,
    ): Promise<RightEntry> {
      const now = clock()
      const found = await find.slipOf(reference, new Date(now.getTime() - slipDays * dayMs))
      const typedHash = sha256(code)
      const isRight = timingSafeEqual(typedHash, found?.slipHash ?? noHash)
      if (!found || !isRight) {
        await takePlaces(networkOfSender(sender), now)
        throw invalid('code', mySentences.wrongSlip)
      }
      return {
        studentId: found.id,
        async settle(tx) {
          const isStillRight = await createEntryConfirmation(tx).isOfSlip(found.id, reference, typedHash)
          if (!isStillRight) throw invalid('code', mySentences.wrongSlip)
          await settle(tx, [codeSubject(reference, null)], [], now)
        },
      }
    },

    referenceOf: find.referenceOf,
    deleteForgotten: () => misses.deleteForgotten(clock()),
  }
}

const dayMs = 86_400_000

class NoPlace extends Error {}

// ms: an entry that took a place longer ago is over.
const underWayMs = 2_000
const waitMs = 200

// No text has it, so that a record without a slip takes the same steps.
const noHash = Buffer.alloc(32)

async function settle(
  tx: Queryable,
  codes: MissSubject[],
  network: MissSubject[],
  takenAt: Date,
): Promise<void> {
  const misses = createMissRepository(tx)
  await misses.forget(codes)
  for (const subject of network) await misses.giveBack(subject, takenAt)
}

function refusal(subject: MissSubject, seconds: number): AppError {
  const sentence = subject.key.startsWith('network:') ? mySentences.network : mySentences.thisHour
  const minutes = Math.ceil(seconds / 60)
  return new AppError('too_many_requests', {
    detail: `${sentence} Please try again in ${minutes} minute${minutes === 1 ? '.' : 's.'}`,
    retryAfter: Math.max(1, seconds),
  })
}
