import pino from 'pino'
import { ConfigurationError, readEnv } from '#server/env.ts'
import { createAudit } from '#server/features/audit/repository.ts'
import { checkTrail } from '#server/features/audit/service.ts'
import { createAdministrators } from '#server/features/auth/administrators.ts'
import { createPasswords } from '#server/features/auth/password-service.ts'
import { createAlerts } from '#server/features/mail/alert-service.ts'
import { systemClock } from '#server/lib/clock.ts'
import { type CommandOptions, openOperatorDatabase, runCommand, sentenceOf } from './command.ts'

const usage = `Usage: npm run admin -- reset-password [--email ADDRESS] [--without-second-factor]
       npm run admin -- allow-device [--email ADDRESS]
       npm run admin -- verify-audit

  reset-password    sets a new password, prints it once, ends every session and API token
                    of the account and ends all pauses after failed sign-ins
  allow-device      prints a link for one browser, which can then sign in while others guess
  --email ADDRESS   whose account; may be left out for the only administrator
  --without-second-factor
                    also turns two-factor sign-in off, if the authenticator app and the
                    recovery codes are lost
  verify-audit      checks that the audit trail is intact, and prints its last entry
  --help            prints this help

Run it with the product's environment (DATABASE_URL or DATA_DIR; for a link PUBLIC_URL
or PORT). The product may run or be stopped.`

const secondFactorRemains = `Two-factor sign-in is still on: sign-in needs a code from the authenticator app or a
recovery code. If both are lost, run this again with --without-second-factor.`

const neverStarted = 'There is no administrator yet. Start the product once to create one.'

const commands = ['reset-password', 'allow-device', 'verify-audit'] as const
type Command = (typeof commands)[number]

interface ResetRequest {
  command: Command
  email: string | undefined
  withoutSecondFactor: boolean
}

export function runAdminCommand(options: CommandOptions): Promise<number> {
  return runCommand(
    {
      usage,
      flags: { email: { type: 'string' }, 'without-second-factor': { type: 'boolean' } },
      read({ email, ...values }, [command, extra]): ResetRequest | string {
        if (command === undefined) return 'No command given.'
        const known = commands.find((name) => name === command)
        if (known === undefined) return `Unknown command: ${command}.`
        if (extra !== undefined) return `Unexpected argument: ${extra}.`
        const withoutSecondFactor = values['without-second-factor'] === true
        return { command: known, email: typeof email === 'string' ? email : undefined, withoutSecondFactor }
      },
      async run(request, { env, print }) {
        if (request.command === 'verify-audit') return print(await verifyAudit(env))
        if (request.command === 'allow-device') {
          const { PUBLIC_URL, PORT } = readEnv(env)
          const { email, token } = await withAdministrators(env, (all) => all.allowDevice(request))
          const link = new URL(`/trust-browser?link=${token}`, PUBLIC_URL ?? `http://127.0.0.1:${PORT}`)
          print(`Open this in the new browser of ${email}, once, within an hour:\n\n    ${link.href}\n`)
          return
        }
        const { email, password, hasSecondFactor, apiTokens } = await withAdministrators(env, (all) =>
          all.resetPassword(request),
        )
        print(`The new password of ${email}:\n\n    ${password}\n`)
        print('It is shown only once. All sessions of this account have ended.')
        if (apiTokens.length > 0) {
          print(`So have its API tokens; programs that send e-mail need new ones: ${apiTokens.join(', ')}.`)
        }
        if (hasSecondFactor) print(secondFactorRemains)
      },
      explain: (error) => sentenceOf(error, neverStarted),
    },
    options,
  )
}

async function verifyAudit(source: Record<string, string | undefined>): Promise<string> {
  const { database, close } = await openOperatorDatabase(readEnv(source), pino({ level: 'silent' }))
  try {
    const { fault, exception, links, position, head } = await checkTrail(database.longDb)
    if (fault) throw new ConfigurationError(withException(fault, exception))
    if (head === null) return 'The audit trail is intact: it has no entry yet.'
    const intact = `The audit trail is intact: ${links} entries, the last is number ${position} with the hash ${head}.`
    return withException(intact, exception)
  } finally {
    await close()
  }
}

function withException(sentence: string, exception: string | undefined): string {
  return exception === undefined ? sentence : `${sentence} ${exception}`
}

async function withAdministrators<T>(
  source: Record<string, string | undefined>,
  work: (administrators: ReturnType<typeof createAdministrators>) => Promise<T>,
): Promise<T> {
  // Errors are printed as a sentence at the end; the log belongs to the running product.
  const log = pino({ level: 'silent' })
  const { database, publish, close } = await openOperatorDatabase(readEnv(source), log)
  try {
    const clock = systemClock
    const audit = createAlerts({ clock })(createAudit({ clock }))
    const context = { database, clock, publish, audit }
    return await work(createAdministrators({ ...context, passwords: createPasswords() }))
  } finally {
    await close()
  }
}
