import { parseArgs } from 'node:util'
import pino from 'pino'
import { readEnv } from '#server/env.ts'
import { createAudit } from '#server/features/audit/recorder.ts'
import { createAdministrators, type ResetPassword } from '#server/features/auth/administrators.ts'
import { createPasswords } from '#server/features/auth/password-service.ts'
import { systemClock } from '#server/lib/clock.ts'
import { type CommandOptions, exitCodes, readRequest, sentenceOf } from './command.ts'
import { openOperatorDatabase } from './operator-database.ts'

const usage = `Usage: npm run admin -- reset-password [--email ADDRESS] [--without-second-factor]

  reset-password    sets a new password, prints it once, ends every session of the
                    account and ends all pauses after failed sign-ins
  --email ADDRESS   the administrator; optional if there is only one
  --without-second-factor
                    also turns two-factor sign-in off, if the authenticator app and the
                    recovery codes are lost
  --help            prints this help

Run it with the product's environment (DATABASE_URL or DATA_DIR). The product may run or
be stopped.`

const secondFactorRemains = `Two-factor sign-in is still on: sign-in needs a code from the authenticator app or a
recovery code. If both are lost, run this again with --without-second-factor.`

const neverStarted = 'There is no administrator yet. Start the product once to create one.'

export async function runAdminCommand(options: CommandOptions): Promise<number> {
  const { env, print, printError } = options
  const request = readRequest(options, usage, readArguments)
  if (typeof request === 'number') return request
  try {
    const { email, password, hasSecondFactor } = await resetPassword(request, env)
    print(`The new password of ${email}:\n\n    ${password}\n`)
    print('It is shown only once. All sessions of this account have ended.')
    if (hasSecondFactor) print(secondFactorRemains)
    return exitCodes.done
  } catch (error) {
    const sentence = sentenceOf(error, neverStarted)
    if (sentence === undefined) throw error
    printError(sentence)
    return exitCodes.failed
  }
}

interface ResetRequest {
  email: string | undefined
  withoutSecondFactor: boolean
}

function readArguments(args: string[]): 'help' | { misuse: string } | ResetRequest {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      'without-second-factor': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return 'help'
  const [command, extra] = positionals
  if (command === undefined) return { misuse: 'No command given.' }
  if (command !== 'reset-password') return { misuse: `Unknown command: ${command}.` }
  if (extra !== undefined) return { misuse: `Unexpected argument: ${extra}.` }
  return { email: values.email, withoutSecondFactor: values['without-second-factor'] ?? false }
}

async function resetPassword(
  request: ResetRequest,
  source: Record<string, string | undefined>,
): Promise<ResetPassword> {
  // Errors are printed as a sentence at the end; the log belongs to the running product.
  const log = pino({ level: 'silent' })
  const { database, publish, close } = await openOperatorDatabase(readEnv(source), log)
  try {
    const passwords = createPasswords()
    const administrators = createAdministrators({
      database,
      passwords,
      clock: systemClock,
      publish,
      audit: createAudit({ clock: systemClock }),
    })
    return await administrators.resetPassword(request)
  } finally {
    await close()
  }
}
