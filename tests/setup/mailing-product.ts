import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import { configureMail } from './configure-mail.ts'
import { signInOverHttp } from './sign-in.ts'

export async function configureUnlimitedMail(url: string, account: SendingAccount): Promise<string> {
  const cookie = await signInOverHttp(url)
  const headers = { cookie, 'Content-Type': 'application/json' }
  const settings: { version: number } = await (await fetch(`${url}/api/settings`, { headers })).json()
  const changed = await fetch(`${url}/api/settings`, {
    method: 'PATCH',
    headers: { ...headers, 'If-Match': `"${settings.version}"` },
    body: JSON.stringify({ mailPerDay: 1_000_000, mailPerMinute: 10_000 }),
  })
  if (!changed.ok) throw new Error(`the quotas were not changed: ${await changed.text()}`)
  await configureMail(url, cookie, account)
  return cookie
}

/** Settles an unknown message, as the coordinator does. */
export async function settleMail(
  url: string,
  cookie: string,
  id: string,
  decision: 'arrived' | 'send again',
): Promise<void> {
  const answer = await fetch(
    `${url}/api/mail/messages/${id}/${decision === 'arrived' ? 'settle' : 'send-again'}`,
    {
      method: 'POST',
      headers: { cookie, 'Content-Type': 'application/json' },
      ...(decision === 'arrived' ? { body: JSON.stringify({ as: 'sent' }) } : {}),
    },
  )
  if (!answer.ok) throw new Error(`the message was not settled: ${await answer.text()}`)
}

export type Query = <Row extends pg.QueryResultRow>(text: string) => Promise<Row[]>

export async function queueMail(query: (text: string) => Promise<unknown>, count: number): Promise<void> {
  const run = randomUUID().slice(0, 8)
  await query(`
    insert into mail_messages (id, kind, recipient, subject, content, priority, created_at, not_before)
    select gen_random_uuid(), 'bulk', 'recipient-' || n || '-${run}@student.example', 'Drill on Saturday',
      '{"template":"message","body":"Please come at seven.","format":"text"}', 1, now(), now()
    from generate_series(1, ${count}) n`)
  await noticeMail(query)
}

/** Sends now what waits for its next attempt, whose pauses last minutes. */
export async function endPauses(query: (text: string) => Promise<unknown>): Promise<void> {
  await query(`update mail_messages set not_before = now() where state = 'queued' and not_before > now()`)
  await noticeMail(query)
}

async function noticeMail(query: (text: string) => Promise<unknown>): Promise<void> {
  // The topic's version is what every process compares.
  await query(`insert into topics (name, version) values ('mail', 1)
    on conflict (name) do update set version = topics.version + 1`)
}

/** Of the messages of `queueMail`: beside them the product sends notices of its own to administrators. */
export async function mailStates(query: Query): Promise<Record<string, number>> {
  const rows = await query<{ state: string; count: number }>(
    `select state, count(*)::int as count from mail_messages where kind = 'bulk' group by state`,
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

export async function mailIn(query: Query, state: string): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    `select id from mail_messages where kind = 'bulk' and state = '${state}'`,
  )
  return new Set(rows.map(({ id }) => id))
}
