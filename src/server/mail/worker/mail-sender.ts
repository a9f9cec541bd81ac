import type { Logger } from 'pino'
import type { Clock } from '#server/clock.ts'
import type { Notices } from '#server/database/notices.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { createClaimsRepository } from '#server/mail/ledger/claims-repository.ts'
import { createForecasts } from '#server/mail/ledger/forecasts.ts'
import { createOutcomes } from '#server/mail/ledger/outcomes.ts'
import type { Quotas } from '#server/mail/ledger/quota.ts'
import { createUnwantedRepository } from '#server/mail/ledger/unwanted-repository.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { RenderMail } from '#server/mail/rendering/render.ts'
import type { CurrentAccount } from '#server/mail/sending-account.ts'
import { type SmtpLimits, smtpLimits } from '#server/mail/smtp/smtp-session.ts'
import { mailSentences } from '#shared/mail.ts'
import { calmly } from './calmly.ts'
import { createCircuit } from './circuit.ts'
import { createDeliveries } from './deliveries.ts'
import { createLeftovers } from './leftovers.ts'
import { createObstacles } from './obstacles.ts'
import { createTurns } from './turns.ts'
import { createMailWorker } from './worker.ts'

/** Progress is told at most so often, in milliseconds. */
const announceEveryMs = 300
/** How long it takes at most, as a rule, until a changed account is known. */
const accountReadMs = 1_000

interface MailSenderOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  notices: Pick<Notices, 'publish' | 'subscribe' | 'onPublish'>
  log: Logger
  clock: Clock
  account: CurrentAccount
  render: RenderMail
  quotas: () => Quotas
  /** Who sends when the account has no name of its own. */
  schoolName: () => string
  limits?: SmtpLimits
}

/** The worker with all that it needs, and what features see of it. */
export function createMailSender(options: MailSenderOptions) {
  const { database, notices, log, clock, account, limits = smtpLimits } = options
  const circuit = createCircuit()
  const turns = createTurns(options)
  const obstacles = createObstacles({ circuit, clock })
  const obstacle = () => (account() ? obstacles.forNewMessage() : mailSentences.notConfigured)
  const outcomes = createOutcomes({ db: database.db, log, obstacle })
  const claims = createClaimsRepository(database.db)
  const announcing = calmly(() => notices.publish('mail'), announceEveryMs)
  const worker = createMailWorker({
    claims,
    leftovers: createLeftovers({ claims, unwanted: createUnwantedRepository(database.db), clock, log }),
    turns,
    deliveries: createDeliveries({ ...options, limits }),
    circuit,
    obstacles,
    outcomes,
    account,
    clock,
    log,
    announce: announcing.ask,
  })

  let accountTimer: NodeJS.Timeout | undefined
  const noteAccount = () => {
    circuit.reset()
    worker.wake()
  }
  // In the process that saved it, before the answer: what is sent right after must not wait for the notice.
  notices.onPublish((topic) => {
    if (topic === 'mail-account') noteAccount()
  })
  const stopListening = notices.subscribe((topic) => {
    if (topic === 'mail-account') {
      noteAccount()
      // Once more when a process that has heard of it only now will have read it.
      clearTimeout(accountTimer)
      accountTimer = setTimeout(noteAccount, accountReadMs)
    }
    if (topic === 'mail') outcomes.look()
    if (topic === 'mail' || topic === 'settings') worker.wake()
  })
  const mailer: Mailer = {
    isConfigured: () => account() !== null,
    wake: worker.wake,
    outcomeOf: outcomes.of,
  }

  return {
    mailer,
    forecasts: createForecasts({
      ...options,
      db: database.db,
      isHeldUp: () => circuit.trouble() !== null,
    }),
    /** Why nothing goes out at the moment; '' when it does. */
    trouble: () => (account() ? obstacles.trouble() : mailSentences.notConfigured),
    start: worker.start,
    /** Finishes what is under way; before the database closes. */
    async close(): Promise<void> {
      stopListening()
      clearTimeout(accountTimer)
      await worker.stop()
      announcing.end()
    },
  }
}
