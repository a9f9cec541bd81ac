import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiWalk } from '#tests/setup/api-walk/api-walk.ts'
import type { Around, Call } from '#tests/setup/api-walk/walk.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { setOffice } from '#tests/setup/papers.ts'
import { startTwoProcesses } from '#tests/setup/two-processes.ts'

// Written by hand: every operation that writes is sent by two people to two processes at the same moment. Who undoes
// something does it in two windows, because only the maker may.

/** One of the two is refused with a sentence, and leaves nothing in the trail. */
const oneWins = `
  DELETE /announcements/{id}, DELETE /imports/{id}, DELETE /layouts/{code}/base, DELETE /org-chart/nodes/{id},
  DELETE /papers/{id}, DELETE /sections/{id}, DELETE /slides/{id}, DELETE /students/{id}, DELETE /terms/{id},
  DELETE /tokens/{id}, DELETE /training-days/{id}, POST /terms/{id}/training-days,
  PATCH /training-days/{id}, POST /training-days/{id}/closing, POST /training-days/{id}/reopening, PATCH /announcements/{id}, PATCH /org-chart/nodes/{id}, PATCH /papers/{id},
  PATCH /people/{id}, PATCH /sections/{id}, PATCH /settings, PATCH /slides/{id}, PATCH /students/{id},
  PATCH /terms/{id}, POST /announcements/{id}/restore, POST /backup, POST /backup/nightly,
  PUT /backup/nightly, POST /certificates/{id}/reissue,
  POST /certificates/{id}/revoke, POST /credits/batches/{id}/undo, POST /credits/{id}/revoke,
  POST /enrolment-batches/{id}/undo, POST /enrolments/drop, POST /enrolments/{id}/move,
  POST /imports/{id}/replacements, POST /imports/{id}/run, POST /imports/{id}/undo, POST /mail/batches,
  POST /mail/batches/{id}/repeat, POST /mail/messages/{id}/send-again, POST /mail/messages/{id}/settle,
  POST /papers/{id}/freeze, POST /papers/{id}/state, POST /papers/{id}/unfreeze, POST /people,
  POST /people/{id}/password, POST /people/{id}/second-factor-reset, POST /privacy/breaches/{id}/told,
  POST /privacy/requests/{id}/close, POST /requests/{id}/decide, POST /retention/deletions, POST /send-bulk-emails,
  POST /students/changes/{id}/undo, POST /students/merge, POST /students/rejections,
  POST /students/rejections/{id}/undo, POST /students/{id}/credits, POST /students/{id}/restore, POST /terms,
  POST /terms/{id}/continuations, POST /terms/{id}/enrolments, POST /terms/{id}/placements,
  POST /terms/{id}/sections, POST /tokens, POST /update-email-config, PUT /org-chart/order`

/** Both are told that it is done, and it was done once. */
const doneOnce = `
  DELETE /mail/account, DELETE /settings/logo, POST /announcements/{id}/mail, POST /certificates,
  POST /credits, POST /enrolments/section, POST /mail/batches/{id}/cancel, POST /mail/batches/{id}/pause,
  POST /mail/batches/{id}/resume, POST /mail/batches/{id}/settle, POST /mail/bounces/{id}/resolve,
  POST /papers/{id}/fixes, POST /people/{id}/sign-out, POST /students/archive, POST /students/changes,
  POST /students/duplicates/dismiss, POST /students/unarchive, POST /students/{id}/archive,
  POST /students/{id}/unarchive, PUT /settings/logo, PUT /slides/order, PUT /students/{id}/mail,
  PUT /students/{id}/restriction, PUT /terms/{id}/marks,
  PUT /terms/{id}/mark-scheme, PUT /terms/{id}/scores,
  POST /terms/{id}/attendance, PUT /terms/{id}/attendance-rule`

/** Both did it: what they made or read are two. */
const bothDid = `
  POST /announcements, POST /certificates/prints, POST /emailService/send-welcome-email, POST /imports,
  POST /mail/audience, POST /mail/recipients/record, POST /mail/test, POST /mail/test/bulk,
  POST /org-chart/nodes, POST /papers, POST /papers/{id}/check, POST /papers/{id}/copy,
  POST /papers/{id}/range, POST /privacy/breaches, POST /privacy/requests, POST /retention/date,
  POST /send-email, POST /slides, POST /statistics/prints, POST /students/export.xlsx, POST /students/prints,
  POST /students/sheets, POST /students/slips, POST /students/{id}/welcome-mail, PUT /layouts/{code}/base,
  PUT /layouts/{code}/confirmed, PUT /papers/{id}/answers`

/** Neither is recorded: what they changed is no record of the office, or they made the same of it. */
const unrecorded = `
  PATCH /imports/{id}/rows, PATCH /imports/{id}/rows/{number}, POST /mail/opt-out, POST /mail/recipients/file,
  POST /mail/server-test, POST /registrations, PUT /imports/{id}/mapping, PUT /students/seen, PUT /imports/{id}/reading,
  POST /script-errors`

let two: Awaited<ReturnType<typeof startTwoProcesses>>
let sink: MailSink
const outcomes = new Map<string, Set<string>>()

beforeAll(async () => {
  sink = await startMailSink()
  two = await startTwoProcesses()
  const { server, ben } = two
  const { db } = server.database
  const lastEntry = async () =>
    (await db.selectFrom('auditEvents').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ??
    '0'
  const actorsAfter = async (id: string) =>
    new Set(
      (await db.selectFrom('auditEvents').select('adminId').where('id', '>', id).execute()).map(
        ({ adminId }) => adminId,
      ),
    )
  // Whose the last change is: undefined while it is the walk's own.
  let maker: string | undefined
  const sendTwice = async (route: string, call: Call, send: (sent: Call) => Promise<Response>) => {
    const at = (url: string, cookie: string) => send({ ...call, elsewhere: { url, cookie } })
    const isUndo = route.endsWith('/undo')
    const [first, second] = await Promise.all([
      isUndo && maker ? at(server.url, maker) : send(call),
      at(ben.url, (isUndo && maker) || ben.cookie),
    ])
    const isOfSecond = await hasWon(second, first)
    if (!isUndo) maker = isOfSecond ? ben.cookie : undefined
    return { first, second, winner: isOfSecond ? second : first }
  }
  const around: Around = async (route, call, send) => {
    if (route.startsWith('GET ') || isOfOneself(route)) return await send(call)
    const before = await lastEntry()
    const { first, second, winner } = await sendTwice(route, call, send)
    const outcome = outcomeOf([first, second], await actorsAfter(before))
    outcomes.set(route, (outcomes.get(route) ?? new Set()).add(outcome))
    return winner
  }
  const walk = await createApiWalk(server, sink, around)
  await setOffice(walk.office)
  await walk.walkAs('administrator', '2026-2027')
}, 300_000)
afterAll(async () => {
  await two.close()
  await sink.close()
})

const isOfOneself = (route: string) =>
  ['/session', '/my', '/roll'].some((own) => route.includes(` ${own}`)) || route.endsWith('/preview')

function outcomeOf(answers: readonly Response[], actors: ReadonlySet<unknown>): string {
  const done = answers.filter(({ ok }) => ok).length
  if (done === 0) return 'neither'
  if (done === 1) return actors.size > 1 ? 'refused, but recorded' : 'one wins'
  return ['unrecorded', 'done once', 'both did'][actors.size] ?? 'others'
}

async function hasWon(one: Response, other: Response): Promise<boolean> {
  if (!other.ok) return true
  return one.ok && (await countOf(other)) === 0 && (await countOf(one)) !== 0
}

async function countOf(answer: Response): Promise<number | undefined> {
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return undefined
  const { count }: { count?: number } = await answer.clone().json()
  return count
}

test('of two who do the same at once one wins, or both are right', () => {
  const found = Object.fromEntries([...outcomes].map(([route, seen]) => [route, [...seen].join(' or ')]))
  expect(found).toEqual({
    ...outcomesOf(oneWins, 'one wins'),
    ...outcomesOf(doneOnce, 'done once'),
    ...outcomesOf(bothDid, 'both did'),
    ...outcomesOf(unrecorded, 'unrecorded'),
  })
})

function outcomesOf(routes: string, outcome: string) {
  return Object.fromEntries(routes.split(',').map((route) => [route.trim(), outcome]))
}
