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
  emptyMailAccount,
  type MailAccountInput,
  mailAccountMessages,
  missingFields,
  signInName,
} from '#shared/mail/mail-account.ts'
import type { MailAccount, MailServiceStatus } from '#shared/mail/mail-response.ts'
import type { TokenGrant } from '#shared/mail/mail-sign-in.ts'
import type { FieldError } from '#shared/problem.ts'
import {
  deleteAccount,
  lockAccount,
  readAccount,
  type StoredAccount,
  writeAccount,
  writeRefreshToken,
} from './account-repository.ts'
import {
  type AccountSecrets,
  createSignIns,
  eachSecret,
  type OpenedAccount,
  secretNames,
} from './account-sign-in.ts'
import { connectToMailbox, type Mailbox, mailboxFailure } from './mailbox-reader.ts'
import type { Credentials, SendingAccount } from './mailer.ts'
import { createClaimsRepository } from './queue-repository.ts'
import type { MailServerRule } from './smtp/allowed-server.ts'
import { fieldErrorOf, isConnectionError, SignInFailure } from './smtp/failures.ts'
import { createTranscript, openSession, testLimits } from './smtp/session.ts'

interface MailAccountOptions
  extends Pick<AppContext, 'database' | 'notices' | 'publish' | 'clock' | 'audit' | 'log' | 'closing'> {
  secrets: SealedSecrets
  rule: MailServerRule
  defaults: Pick<MailAccount, 'host' | 'port' | 'secure'>
  // Sends the notice through the account as it still is. Does nothing where there is none.
  noticeChange: (actor: Actor) => Promise<void>
}

export type MailAccountService = ReturnType<typeof createMailAccountService>

export function createMailAccountService(options: MailAccountOptions) {
  const { database, clock, secrets: sealed, defaults, rule } = options
  const { mayConnect } = rule
  const signIns = createSignIns(options, {
    current: () => cachedAccount.current().secrets?.refreshToken ?? '',
    replace: replaceRefreshToken,
    reload: () => cachedAccount.load(),
  })
  const listeners = new Set<() => void>()
  const cachedAccount = createCachedValue({
    ...options,
    topic: 'mail-account',
    read: async () => open(await readAccount(database.db)),
    onChange(account, before) {
      if (!account.account) signIns.forget()
      if (!before || isDeepStrictEqual(withoutPermission(account), withoutPermission(before))) return
      for (const listener of listeners) listener()
    },
  })

  function open(stored: StoredAccount | undefined): OpenedAccount {
    if (!stored) return { account: null, secrets: null }
    const { password, clientSecret, refreshToken, ...rest } = stored
    const grant: TokenGrant = refreshToken ? 'refresh_token' : 'client_credentials'
    const opened = eachSecret({ password, clientSecret, refreshToken }, (one) => one && sealed.open(one))
    const isReadable = secretNames.every((name) => stored[name] === null || opened[name] !== null)
    const secrets = eachSecret(opened, (one) => one ?? '')
    // The secrets are null when they were sealed with another SECRET_KEY.
    return { account: { ...rest, grant }, secrets: isReadable ? secrets : null }
  }

  const seal = (secrets: AccountSecrets) =>
    eachSecret(secrets, (one) => (one === '' ? null : sealed.seal(one)))

  // A provider replaced it: no change of the account by anybody.
  async function replaceRefreshToken(used: string, next: string): Promise<void> {
    await database.transact(async (tx) => {
      const current = open(await lockAccount(tx))
      if (current.secrets?.refreshToken === used) await writeRefreshToken(tx, sealed.seal(next))
    })
    await cachedAccount.load()
    options.publish('mail-account')
  }

  function withSecrets<T>(read: (account: MailAccount, secrets: AccountSecrets) => T): T | null {
    const { account, secrets } = cachedAccount.current()
    return account && secrets ? read(account, secrets) : null
  }

  function sendingAccountOf(account: CompleteMailAccount, credentials: Credentials): SendingAccount {
    const { senderAddress, senderName, host, port, secure } = account
    const userName = signInName(account)
    return { senderAddress, senderName, userName, ...credentials, host, port, secure, mayConnect }
  }

  function mailboxOf(account: CompleteMailAccount, credentials: Credentials): Mailbox | null {
    if (account.imapHost === '') return null
    const { imapHost: host, imapPort: port } = account
    return { host, port, userName: signInName(account), ...credentials, mayConnect }
  }

  return {
    load: cachedAccount.load,

    // Calls back when this process or another one has changed the account.
    onChange(listener: () => void): void {
      listeners.add(listener)
    },

    defaults,

    account: (): MailAccount | null => cachedAccount.current().account,

    /** '' while its secrets can be read, and without an account. */
    unreadable(): string {
      const { account, secrets } = cachedAccount.current()
      if (!account || secrets) return ''
      const { passwordUnreadable, secretsUnreadable } = mailAccountMessages
      return account.signIn === 'password' ? passwordUnreadable : secretsUnreadable
    },

    current: () =>
      withSecrets((account, secrets) => sendingAccountOf(account, signIns.stored(account, secrets))),
    mailbox: () => withSecrets((account, secrets) => mailboxOf(account, signIns.stored(account, secrets))),

    async change(input: MailAccountInput, version: number | undefined, actor: Actor): Promise<MailAccount> {
      const before = await cachedAccount.load()
      mustBeVersion(before.account, version)
      const next = completeMailAccount(input, before.account ?? { ...emptyMailAccount, ...defaults })
      const missing = missingFields(next, input, before.secrets && before.account)
      if (missing[0]) throw new AppError('invalid', { errors: missing })
      const forbidden = await rule.errorsOf(next)
      if (forbidden[0]) throw new AppError('invalid', { errors: forbidden })
      const candidate = signIns.candidate(next, input, before)
      await testAccount(sendingAccountOf(next, candidate.credentials), mailboxOf(next, candidate.credentials))
      await options.noticeChange(actor)
      const account = { ...next, version: (before.account?.version ?? 0) + 1 }
      const secrets = await commitChange(options, 'mail-account', async (tx, record) => {
        // Race: the account may have been changed during the test.
        const current = open(await lockAccount(tx))
        mustBeVersion(current.account, before.account?.version ?? 0)
        const secrets = candidate.secrets(current.secrets)
        const { grant: _bySecret, ...row } = account
        await writeAccount(tx, { ...row, ...seal(secrets), updatedAt: clock() })
        // The failures were about the replaced account.
        await createClaimsRepository(tx).clearFailures(clock())
        const fields: string[] = changesBetween<Partial<CompleteMailAccount>>(
          current.account ?? {},
          next,
        ).fields
        for (const name of secretNames)
          if (secrets[name] !== (current.secrets?.[name] ?? '')) fields.push(name)
        await record({ action: 'mail-account-changed', actor, fields })
        return secrets
      })
      cachedAccount.setWritten({ account, secrets })
      return account
    },

    async remove(actor: Actor): Promise<void> {
      await options.noticeChange(actor)
      await commitChange(options, 'mail-account', async (tx, record) => {
        if (!(await lockAccount(tx))) return
        await deleteAccount(tx)
        await record({ action: 'mail-account-changed', actor, detail: { removed: true } })
      })
      cachedAccount.setWritten({ account: null, secrets: null })
    },
  }
}

// Leaves out the refresh token, which a provider replaces at any time.
function withoutPermission({ account, secrets }: OpenedAccount) {
  return { account, secrets: secrets && { ...secrets, refreshToken: '' } }
}

function mustBeVersion(account: MailAccount | null, version: number | undefined): void {
  if (version !== undefined && version !== (account?.version ?? 0)) throw new AppError('conflict')
}

interface MailStatusOptions extends Pick<AppContext, 'log'> {
  account: Pick<MailAccountService, 'load' | 'current' | 'unreadable'>
  problem: () => string
}

/** Product 17.11. */
export function createMailStatus({ account, problem, log }: MailStatusOptions) {
  return async (): Promise<MailServiceStatus> => {
    try {
      await account.load()
    } catch (error) {
      log.warn({ err: error }, 'the mail account was not read')
      return { isConfigured: false, status: 'error', message: mailSentences.noConnection }
    }
    if (!account.current()) {
      const message = account.unreadable() || mailSentences.notConfigured
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
    if (error instanceof SignInFailure) return error.field
    return { path: 'imapHost', message: mailboxFailure(error, mailbox) }
  }
}
