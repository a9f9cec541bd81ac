import { isCalendarDate } from '#shared/program-calendar.ts'
import { dropDraft, parseDraft, readKept, type StoredDraft, saveText } from './draft-key.ts'
import { canLock, type Lock, lockOf, lockText, openText } from './draft-lock.ts'

/** Keeps the answers of one form on the device, encrypted by its student's birth date. */
export function createKeptCopy() {
  let lockedBy = ''
  let lock: Promise<Lock> | undefined
  /** Of the stored copy, once it is this form's. */
  let ownSalt: string | undefined
  /** The latest call alone is carried out: encrypting takes its time, and the answers may be sent meanwhile. */
  let turn = 0

  const isTaken = () => ownSalt !== undefined && readKept()?.salt !== ownSalt

  /** Before the birth date is complete nothing is stored. */
  async function save(birthDate: string, draft: StoredDraft) {
    turn += 1
    const own = turn
    // Sent or deleted in another tab, or replaced by the next student: it must not come back from here.
    if (!canLock() || !isCalendarDate(birthDate) || isTaken()) return
    if (lock === undefined || birthDate !== lockedBy) {
      lockedBy = birthDate
      lock = lockOf(birthDate)
    }
    const { salt } = await lock
    const locked = await lockText(await lock, JSON.stringify(draft))
    if (own !== turn || isTaken()) return
    if (saveText('device', JSON.stringify({ startedAt: draft.startedAt, ...locked }))) ownSalt = salt
  }

  /** @returns undefined when the birth date is not that of the kept answers */
  async function open(birthDate: string): Promise<StoredDraft | undefined> {
    const kept = readKept()
    const opened = kept && (await openText(birthDate, kept))
    if (!opened) return undefined
    lockedBy = birthDate
    lock = Promise.resolve(opened.lock)
    ownSalt = opened.lock.salt
    return parseDraft(opened.text)
  }

  function drop() {
    turn += 1
    if (ownSalt !== undefined && !isTaken()) dropDraft('device')
    ownSalt = undefined
  }

  return { save, open, drop }
}
