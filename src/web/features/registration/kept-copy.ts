import { isCalendarDate } from '#shared/program-calendar.ts'
import { draftPlaces, dropDraft, parseDraft, readKept, type StoredDraft, saveText } from './draft-key.ts'
import { canLock, type Lock, lockOf, lockText, openText } from './draft-lock.ts'

/** Keeps the answers of one form on the device, encrypted by its student's birth date. */
export function createKeptCopy() {
  let lockedBy = ''
  let lock: Promise<Lock> | undefined
  /** The stored copy, once it is this form's. */
  let own: { salt: string; startedAt: number } | undefined
  /** The latest call alone is carried out: encrypting takes its time, and the answers may be sent meanwhile. */
  let turn = 0

  /**
   * Sent or deleted in another tab, or replaced by the next student: it must not come back from here. One that is
   * absent after its hour has expired alone.
   */
  function isTaken() {
    if (!own) return false
    const stored = readKept()
    return stored ? stored.salt !== own.salt : Date.now() - own.startedAt < draftPlaces.device.lifetimeMs
  }

  /**
   * Before the birth date is complete nothing is stored.
   * @returns whether this call has stored it
   */
  async function save(birthDate: string, draft: StoredDraft): Promise<boolean> {
    turn += 1
    const ownTurn = turn
    if (!canLock() || !isCalendarDate(birthDate) || isTaken()) return false
    try {
      const { salt, ...locked } = await lockText(await lockBy(birthDate), JSON.stringify(draft))
      if (ownTurn !== turn || isTaken()) return false
      const { startedAt } = draft
      if (!saveText('device', JSON.stringify({ startedAt, salt, ...locked }))) return false
      own = { salt, startedAt }
      return true
    } catch {
      // The browser could not encrypt: the next save tries with another lock.
      if (ownTurn === turn) lock = undefined
      return false
    }
  }

  function lockBy(birthDate: string): Promise<Lock> {
    if (lock === undefined || birthDate !== lockedBy) lock = lockOf(birthDate)
    lockedBy = birthDate
    return lock
  }

  /** @returns undefined when the birth date is not that of the kept answers */
  async function open(birthDate: string): Promise<StoredDraft | undefined> {
    const kept = readKept()
    const opened = kept && (await openText(birthDate, kept))
    if (!opened) return undefined
    turn += 1
    lockedBy = birthDate
    lock = Promise.resolve(opened.lock)
    own = { salt: opened.lock.salt, startedAt: kept.startedAt }
    return parseDraft(opened.text)
  }

  /** What is stored is no longer this form's. */
  function leave() {
    turn += 1
    own = undefined
    lock = undefined
  }

  function drop() {
    if (own && !isTaken()) dropDraft('device')
    leave()
  }

  return { save, open, leave, drop }
}
