import { timingSafeEqual } from 'node:crypto'
import { v7 as createId } from 'uuid'
import type { CodeMailService } from '#server/features/mail/code-service.ts'
import type { StudentSession } from '#server/http/context.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { mySentences } from '#shared/my/my.ts'
import type { CodeMail, StudentState } from '#shared/my/my-response.ts'
import type { Language } from '#shared/site/language.ts'
import { readStudentState } from './entry-repository.ts'
import type { RightEntry } from './entry-service.ts'
import { createKeyRepository } from './key-repository.ts'

interface CodesOptions extends Pick<AppContext, 'database'> {
  mail: CodeMailService
}

/** The second step by mail, and what the first one shows. */
export function createCodes({ database, mail }: CodesOptions) {
  return {
    async state({ studentId }: StudentSession): Promise<StudentState> {
      const { db } = database
      const state = await readStudentState(db, studentId)
      if (!state) throw new AppError('unauthenticated', mySentences.ended)
      const keys = (await createKeyRepository(db).read(studentId)) ?? { codeId: null, emailChangedAt: null }
      const { email, ...shown } = state
      return { ...shown, mail: await mail.stateOf(db, { studentId, email, ...keys }) }
    },

    /** Mails a code, unless one is under way or none can be mailed. The student asked for it, so a restriction keeps it from nobody. */
    async send(
      { studentId }: StudentSession,
      language: Language,
    ): Promise<{ answer: CodeMail; isQueued: boolean }> {
      const { before, after } = await database.transact(async (tx) => {
        const own = createKeyRepository(tx)
        const student = await own.lockRecord(studentId)
        if (!student) throw new AppError('unauthenticated', mySentences.ended)
        const { email } = student
        const keys = await own.lock(studentId)
        await mail.lock(tx)
        const before = await mail.stateOf(tx, { studentId, email, ...keys })
        if (before.state !== 'ready') return { before, after: before }
        const codeId = createId()
        await own.setCode(studentId, codeId)
        await mail.enqueue(tx, codeId, { studentId, email, language })
        return { before, after: await mail.stateOf(tx, { studentId, email, ...keys, codeId }) }
      })
      const isQueued = before.state === 'ready'
      if (isQueued) mail.wake()
      return { answer: after, isQueued }
    },

    /** Counts a try, and compares the digits of the mailed code, which work once. */
    async byDigits({ studentId, tokenHash }: StudentSession, typed: string): Promise<RightEntry> {
      const { db } = database
      const codeId = await createKeyRepository(db).takeTry(studentId)
      const isSame = codeId !== null && timingSafeEqual(sha256(mail.digitsOf(codeId)), sha256(typed))
      if (!isSame || !(await mail.isValid(db, codeId))) throw invalid('code', mySentences.wrongCode)
      return {
        studentId,
        async settle(tx) {
          const own = createKeyRepository(tx)
          if (!(await own.lockRecord(studentId)) || !(await own.lockSession(tokenHash))) {
            throw new AppError('unauthenticated', mySentences.ended)
          }
          if (!(await own.endCode(studentId, codeId))) throw invalid('code', mySentences.wrongCode)
        },
      }
    },
  }
}
