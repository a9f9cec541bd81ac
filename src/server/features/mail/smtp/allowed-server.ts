import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Env } from '#server/env.ts'
import type { MayConnect } from '#server/features/mail/mailer.ts'
import { networkList } from '#server/lib/network.ts'
import { type CompleteMailAccount, mailAccountMessages } from '#shared/mail/mail-account.ts'
import type { FieldError } from '#shared/problem.ts'

// Submission and reading of mail. Others could be any service of the school's network.
const usualPorts = [25, 465, 587, 143, 993]
const httpsPort = 443
// Link-local: cloud machines give out credentials there. Unspecified and multicast: no servers.
const isNever = networkList('169.254.0.0/16 fe80::/10 0.0.0.0/8 ::/128 224.0.0.0/3 ff00::/8')
const isPrivate = networkList('10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 fc00::/7')

type MailServerAddress = Pick<
  CompleteMailAccount,
  'host' | 'port' | 'imapHost' | 'imapPort' | 'tokenEndpoint'
>

export type MailServerRule = ReturnType<typeof createMailServerRule>

/**
 * The servers that a mail account may name: an administrator's form must not reach other services of the network. This
 * machine itself is allowed, at the same ports.
 */
export function createMailServerRule({
  MAIL_PORTS,
  MAIL_NETWORKS,
}: Pick<Env, 'MAIL_PORTS' | 'MAIL_NETWORKS'>) {
  const isListed = networkList(MAIL_NETWORKS)
  const ports = new Set([...usualPorts, ...(MAIL_PORTS ?? '').split(/[\s,]+/).map(Number)])
  const isPort = (port: number) => MAIL_PORTS === 'any' || ports.has(port)
  const mayConnect = (address: string) => !isNever(address) && (!isPrivate(address) || isListed(address))

  return {
    mayConnect,

    /** @returns the fields to correct */
    async errorsOf({
      host,
      port,
      imapHost,
      imapPort,
      tokenEndpoint,
    }: MailServerAddress): Promise<FieldError[]> {
      const errors: FieldError[] = []
      const checkAddress = async (path: string, server: string) => {
        // An unknown name is reported by the attempt to connect.
        if (!(await addressesOf(server).catch(() => [])).every(mayConnect)) {
          errors.push({ path, message: mailAccountMessages.closedNetwork })
        }
      }
      const check = async (fields: { host: string; port: string }, server: string, at: number) => {
        if (!isPort(at)) errors.push({ path: fields.port, message: mailAccountMessages.unusualPort })
        await checkAddress(fields.host, server)
      }
      await check({ host: 'host', port: 'port' }, host, port)
      if (imapHost) await check({ host: 'imapHost', port: 'imapPort' }, imapHost, imapPort)
      if (tokenEndpoint && !URL.canParse(tokenEndpoint)) {
        errors.push({ path: 'tokenEndpoint', message: mailAccountMessages.tokenEndpoint })
      } else if (tokenEndpoint) {
        const service = tokenServerOf(tokenEndpoint)
        if (service.port !== httpsPort && !isPort(service.port)) {
          errors.push({ path: 'tokenEndpoint', message: mailAccountMessages.tokenPort })
        }
        await checkAddress('tokenEndpoint', service.host)
      }
      return errors
    },
  }
}

/** @param endpoint https */
export function tokenServerOf(endpoint: string) {
  const { hostname, port } = new URL(endpoint)
  return { host: hostname, port: port === '' ? httpsPort : Number(port) }
}

/**
 * Security: the addresses to connect to. The name is not resolved again, so it can't lead elsewhere than what was checked.
 * @throws Error with a `code`: EDNS for an unknown name, EACCES for a forbidden address, ETIMEDOUT
 */
export async function checkedAddresses(
  host: string,
  mayConnect: MayConnect,
  signal: AbortSignal,
): Promise<[string, ...string[]]> {
  const [first, ...others] = await unlessAborted(signal, addressesOf(host))
  if (first === undefined || ![first, ...others].every(mayConnect)) {
    throw withCode('the mail server has an address that the product must not reach', 'EACCES')
  }
  return [first, ...others]
}

// A lookup can't be cancelled.
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(withCode('the name of the mail server was not found in time', 'ETIMEDOUT'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

// IPv4 first: every mail server has it, and not every school the other.
async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host)) return [host]
  try {
    return (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address)
  } catch (cause) {
    throw Object.assign(new Error('the mail server was not found', { cause }), { code: 'EDNS' })
  }
}

function withCode(message: string, code: string): Error & { code: string } {
  return Object.assign(new Error(message), { code })
}
