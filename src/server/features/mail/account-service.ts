import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { createCachedValue } from '#server/lib/cached-value.ts'
import { changesBetween, commitChange } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import type { SealedSecrets } from '#server/lib/sealed-secret.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import {
  type CompleteMailAccount,
  completeMailAccount,
  type MailAccountInput,
  mailAccountMessages,
  missingFields,
  signInName,
} from '#shared/mail/mail-account.ts'
import type { MailAccount, MailServiceStatus } from '#shared/mail/mail-response.ts'
import type { FieldError } from '#shared/problem.ts'
import {
  deleteAccount,
  lockAccount,
  readAccount,
  type StoredAccount,
  writeAccount,
} from './account-repository.ts'
import { connectToMailbox, type Mailbox, mailboxFailure } from './mailbox-reader.ts'
import type { SendingAccount } from './mailer.ts'
import { createClaimsRepository } from './queue-repository.ts'
import type { MailServerRule } from './smtp/allowed-server.ts'
import { fieldErrorOf, isConnectionError } from './smtp/failures.ts'
import { createTranscript, openSession, testLimits } from './smtp/session.ts'

interface MailAccountOptions
  extends Pick<AppContext, 'database' | 'notices' | 'publish' | 'clock' | 'audit' | 'log' | 'closing'> {
  secrets: SealedSecrets
  rule: MailServerRule
  defaults: Pick<MailAccount, 'host' | 'port' | 'secure'>
  // Through the account as it is; does nothing where there is none.
  noticeChange: (actor: Actor) => Promise<void>
}

export type MailAccountService = ReturnType<typeof createMailAccountService>

export function createMailAccountService(options: MailAccountOptions) {
  const { database, clock, secrets, defaults, rule } = options
  const { mayConnect } = rule
  const listeners = new Set<() => void>()
  const cachedAccount = createCachedValue({
    ...options,
    topic: 'mail-account',
    read: async () => open(await readAccount(database.db)),
    onChange(account, before) {
      if (before && !isDeepStrictEqual(account, before)) for (const listener of listeners) listener()
    },
  })

  function open(stored: StoredAccount | undefined) {
    if (!stored) return { account: null, password: null }
    const { password, ...account } = stored
    // Null when the password was sealed with another SECRET_KEY.
    return { account, password: secrets.open(password) }
  }

  function withPassword<T>(read: (account: CompleteMailAccount, password: string) => T): T | null {
    const { account, password } = cachedAccount.current()
    return account && password !== null ? read(account, password) : null
  }

  function sendingAccountOf(account: CompleteMailAccount, password: string): SendingAccount {
    const { senderAddress, senderName, host, port, secure } = account
    return {
      senderAddress,
      senderName,
      userName: signInName(account),
      password,
      host,
      port,
      secure,
      mayConnect,
    }
  }

  function mailboxOf(account: CompleteMailAccount, password: string): Mailbox | null {
    if (account.imapHost === '') return null
    return {
      host: account.imapHost,
      port: account.imapPort,
      userName: signInName(account),
      password,
      mayConnect,
    }
  }

  return {
    load: cachedAccount.load,

    // Also when another process has changed it.
    onChange(listener: () => void): void {
      listeners.add(listener)
    },

    defaults,

    account: (): MailAccount | null => cachedAccount.current().account,

    lacksPassword(): boolean {
      const { account, password } = cachedAccount.current()
      return account !== null && password === null
    },

    current: () => withPassword(sendingAccountOf),
    mailbox: () => withPassword(mailboxOf),

    async change(input: MailAccountInput, version: number | undefined, actor: Actor): Promise<MailAccount> {
      const before = await cachedAccount.load()
      mustBeVersion(before.account, version)
      const next = completeMailAccount(input, before.account ?? { ...emptyAccount, ...defaults })
      const missing = missingFields(
        next,
        input.emailPassword,
        before.password === null ? null : before.account,
      )
      if (missing[0]) throw new AppError('invalid', { errors: missing })
      const forbidden = await rule.errorsOf(next)
      if (forbidden[0]) throw new AppError('invalid', { errors: forbidden })
      const password = input.emailPassword === '' ? (before.password ?? '') : input.emailPassword
      await testAccount(sendingAccountOf(next, password), mailboxOf(next, password))
      await options.noticeChange(actor)
      const account = { ...next, version: (before.account?.version ?? 0) + 1 }
      await commitChange(options, 'mail-account', async (tx, record) => {
        // Race: the account may have been changed during the test.
        const current = open(await lockAccount(tx))
        mustBeVersion(current.account, before.account?.version ?? 0)
        await writeAccount(tx, { ...account, password: secrets.seal(password), updatedAt: clock() })
        // They were about the replaced account.
        await createClaimsRepository(tx).clearFailures(clock())
        const fields: string[] = changesBetween<Partial<CompleteMailAccount>>(
          current.account ?? {},
          next,
        ).fields
        if (password !== current.password) fields.push('password')
        await record({ action: 'mail-account-changed', actor, fields })
      })
      cachedAccount.setWritten({ account, password })
      return account
    },

    async remove(actor: Actor): Promise<void> {
      await options.noticeChange(actor)
      await commitChange(options, 'mail-account', async (tx, record) => {
        if (!(await lockAccount(tx))) return
        await deleteAccount(tx)
        await record({ action: 'mail-account-changed', actor, detail: { removed: true } })
      })
      cachedAccount.setWritten({ account: null, password: null })
    },
  }
}

const emptyAccount = { senderName: '', userName: '', imapHost: '', imapPort: 993 }

function mustBeVersion(account: MailAccount | null, version: number | undefined): void {
  if (version !== undefined && version !== (account?.version ?? 0)) throw new AppError('conflict')
}

interface MailStatusOptions extends Pick<AppContext, 'log'> {
  account: Pick<MailAccountService, 'load' | 'current' | 'lacksPassword'>
  problem: () => string
}

/** Spec §7, GET /emailService/status. */
export function createMailStatus({ account, problem, log }: MailStatusOptions) {
  return async (): Promise<MailServiceStatus> => {
    try {
      await account.load()
    } catch (error) {
      log.warn({ err: error }, 'the mail account was not read')
      return { isConfigured: false, status: 'error', message: mailSentences.noConnection }
    }
    if (!account.current()) {
      const message = account.lacksPassword()
        ? mailAccountMessages.passwordUnreadable
        : mailSentences.notConfigured
      return { isConfigured: false, status: 'not_configured', message }
    }
    const message = problem()
    if (message !== '') return { isConfigured: true, status: 'error', message }
    return { isConfigured: true, status: 'ok', message: 'Email service is configured.' }
  }
}

export type MailStatus = ReturnType<typeof createMailStatus>

// ms: bounds a server that answers each command just in time.
const sendingTestTimeoutMs = 25_000

/** @throws AppError `invalid` with the field to correct */
async function testAccount(account: SendingAccount, mailbox: Mailbox | null): Promise<void> {
  const error = (await testSending(account)) ?? (mailbox ? await testMailbox(mailbox) : undefined)
  if (error) throw new AppError('invalid', { errors: [error] })
}

async function testSending(account: SendingAccount): Promise<FieldError | undefined> {
  const transcript = createTranscript(account.password)
  const deadline = AbortSignal.timeout(sendingTestTimeoutMs)
  try {
    const session = await openSession({ account, limits: testLimits, deadline, transcript })
    session.close()
    return undefined
  } catch (error) {
    if (!isConnectionError(error)) throw error
    const { path, message } = fieldErrorOf(error, account)
    return { path, message: transcript.clean(message) }
  }
}

const mailboxTestTimeoutMs = 20_000

async function testMailbox(mailbox: Mailbox): Promise<FieldError | undefined> {
  try {
    const connection = await connectToMailbox(mailbox, AbortSignal.timeout(mailboxTestTimeoutMs))
    connection.close()
    return undefined
  } catch (error) {
    return { path: 'imapHost', message: mailboxFailure(error, mailbox) }
  }
}
