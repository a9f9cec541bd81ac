import { isSameSignIn, type SendingAccount } from '#server/mail/sending-account.ts'
import { openSmtpSession, type SmtpLimits, type SmtpSession } from './smtp-session.ts'

/** How long an unused connection is kept, in milliseconds. */
const idleMs = 5_000
/** Messages after which a connection is changed: servers end longer ones. */
const messagesEach = 100

interface IdleSession {
  session: SmtpSession
  account: SendingAccount
  timer: NodeJS.Timeout
}

/** Connections that wait for the next message. */
export function createSessions(limits: SmtpLimits) {
  const idle = new Set<IdleSession>()

  function drop(one: IdleSession): void {
    clearTimeout(one.timer)
    idle.delete(one)
    one.session.close()
  }

  /** One that waits and still stands; those of another account are closed. */
  function takeIdle(account: SendingAccount): SmtpSession | undefined {
    for (const one of idle) {
      if (!one.session.isUsable() || !isSameSignIn(one.account, account)) {
        drop(one)
        continue
      }
      clearTimeout(one.timer)
      idle.delete(one)
      return one.session
    }
    return undefined
  }

  return {
    /** A connection that waited, else a new one. Rejects as `openSmtpSession`. */
    take: async (account: SendingAccount, deadline: AbortSignal): Promise<SmtpSession> =>
      takeIdle(account) ?? openSmtpSession(account, limits, deadline),

    /** Keeps a connection for the next message. */
    giveBack(session: SmtpSession, account: SendingAccount): void {
      if (session.sentCount() >= messagesEach) session.close()
      if (!session.isUsable()) return
      const one = { session, account, timer: setTimeout(() => drop(one), idleMs) }
      one.timer.unref()
      idle.add(one)
    },

    close(): void {
      for (const one of idle) drop(one)
    },
  }
}
