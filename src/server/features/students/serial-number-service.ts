import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { type SerialPerson, serialDoubts, serialKey } from '#shared/papers/serial-checks.ts'
import { studentName } from '#shared/students/student-name.ts'
import { createSerialNumbersRepository, type Holder } from './serial-number-repository.ts'

/**
 * Blocks all others from giving serial numbers until the transaction ends. Whatever gives one takes this lock before
 * it locks records, as the lists of numbers do: so two never wait for each other, and the second one sees what the first has given.
 */
export const lockSerials = (tx: Queryable) => createSerialNumbersRepository(tx).lock()

/** Finds the students who have a serial number already, including students that the account may not see. */
export async function findHolders(
  db: Queryable,
  serials: readonly string[],
): Promise<(serial: string, ...own: readonly (string | null)[]) => Holder | undefined> {
  const held = new Map<string, Holder[]>()
  for (const { key, ...holder } of await createSerialNumbersRepository(db).listHolders(serials))
    held.set(key, [...(held.get(key) ?? []), holder])
  return (serial, ...own) => held.get(serialKey(serial))?.find(({ id }) => !own.includes(id))
}

/** A student of another component isn't named. */
export function holderSentence(holder: Holder, access: Access): string {
  const who = access.includes(holder.component) ? studentName(holder) : `A student of ${holder.component}`
  return `${who} already has this number.`
}

/**
 * An undo asks this before it puts numbers back. Give it a transaction with the lock.
 * @param own the records that get them
 * @throws AppError `conflict` where another student has one of them by now
 */
export async function mustBeFreeSerials(
  tx: Queryable,
  serials: readonly string[],
  { own, access }: { own: readonly string[]; access: Access },
): Promise<void> {
  const holderOf = await findHolders(tx, serials)
  for (const serial of serials) {
    const holder = holderOf(serial, ...own)
    if (!holder) continue
    const sentence = `This would give ${serial} back. ${holderSentence(holder, access)} So nothing was undone.`
    throw new AppError('conflict', sentence)
  }
}

/**
 * A serial number that somebody typed. Give it a transaction with the lock.
 * @param isMeant whether it was confirmed though its form is unusual
 * @throws AppError `invalid`: `serialNumber` where another student has it, `serialMeant` where it is to be confirmed
 */
export async function checkTypedSerial(
  tx: Queryable,
  { id, serialNumber, ...person }: SerialPerson & { id: string; serialNumber: string },
  { region, isMeant, access }: { region: string; isMeant: boolean; access: Access },
): Promise<void> {
  const holder = (await findHolders(tx, [serialNumber]))(serialNumber, id)
  if (holder) throw invalid('serialNumber', holderSentence(holder, access))
  const doubts = serialDoubts(serialNumber, person, { region, year: '' })
  if (doubts.length === 0 || isMeant) return
  throw invalid('serialMeant', doubts.map(({ sentence }) => sentence).join(' '))
}

/**
 * A number that a visitor typed into the public form becomes that of the new record where it has the usual form
 * and nobody has it, and no list of numbers is applied at that moment; else the office enters it. The visitor learns
 * nothing of it, and the enlistment is stored before.
 */
export async function keepTypedSerial(
  tx: Queryable,
  { id, serialNumber, ...person }: SerialPerson & { id: string; serialNumber: string },
): Promise<void> {
  if (serialKey(serialNumber) === '') return
  if (serialDoubts(serialNumber, person, { region: '', year: '' }).length > 0) return
  const serials = createSerialNumbersRepository(tx)
  if (await serials.tryLock(serialNumber)) await serials.giveFree(id, serialNumber)
}
