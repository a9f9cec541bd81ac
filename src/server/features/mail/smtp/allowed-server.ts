import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Env } from '#server/env.ts'
import { networkList } from '#server/lib/network.ts'
import { mailAccountMessages } from '#shared/mail/mail-account.ts'
import type { FieldError } from '#shared/problem.ts'

// Submission and reading of mail. Others could be any service of the school's network.
const usualPorts = [25, 465, 587, 143, 993]
// Link-local: cloud machines give out credentials there. Unspecified and multicast: no servers.
const isNever = networkList('169.254.0.0/16 fe80::/10 0.0.0.0/8 ::/128 224.0.0.0/3 ff00::/8')
const isPrivate = networkList('10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 fc00::/7')

interface MailServerAddress {
  host: string
  port: number
  imapHost: string
  imapPort: number
}

/**
 * The servers that a mail account may name: an administrator's form must not reach other services of the network. This
 * machine itself is allowed, at the same ports.
 * @returns the fields to correct
 */
export function createMailServerRule({
  MAIL_PORTS,
  MAIL_NETWORKS,
}: Pick<Env, 'MAIL_PORTS' | 'MAIL_NETWORKS'>) {
  const isListed = networkList(MAIL_NETWORKS)
  const ports = new Set([...usualPorts, ...(MAIL_PORTS ?? '').split(/[\s,]+/).map(Number)])
  const isPort = (port: number) => MAIL_PORTS === 'any' || ports.has(port)
  const isAllowed = (address: string) => !isNever(address) && (!isPrivate(address) || isListed(address))

  return async ({ host, port, imapHost, imapPort }: MailServerAddress): Promise<FieldError[]> => {
    const errors: FieldError[] = []
    const check = async (fields: { host: string; port: string }, server: string, at: number) => {
      if (!isPort(at)) errors.push({ path: fields.port, message: mailAccountMessages.unusualPort })
      if (!(await addressesOf(server)).every(isAllowed)) {
        errors.push({ path: fields.host, message: mailAccountMessages.closedNetwork })
      }
    }
    await check({ host: 'host', port: 'port' }, host, port)
    if (imapHost) await check({ host: 'imapHost', port: 'imapPort' }, imapHost, imapPort)
    return errors
  }
}

// An unknown name is reported by the attempt to connect.
async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host)) return [host]
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}
