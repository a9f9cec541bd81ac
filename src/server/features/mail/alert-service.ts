import type { Queryable } from '#server/database/schema.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { Audit, AuditEntry } from '#server/lib/audit.ts'
import { idOfKey } from '#server/lib/idempotency.ts'
import type { AuditAction } from '#shared/audit/audit.ts'
import { deviceName } from '#shared/auth/device-name.ts'
import { isMailAddress } from '#shared/mail/mail-address.ts'
import { defaultStudentFilters } from '#shared/students/students.ts'
import { readNoticeAddresses } from './account-repository.ts'
import { enqueue } from './ledger-repository.ts'
import type { Mailer } from './mailer.ts'
import { noticeTitle } from './messages-repository.ts'

const hourMs = 60 * 60 * 1000
// Records: an export of one course or section is everyday work.
const manyRecords = 1_000
// ms: how long a change of the account waits for the mail about it.
const noticeMs = 10_000

type Clock = Pick<AppContext, 'clock'>

/**
 * Entries of the audit trail that an intruder would cause also become a mail; what reads alike, once an hour. The worker finds
 * it at its next look.
 */
export function createAlerts({ clock }: Clock) {
  return (audit: Audit): Audit => ({
    ...audit,
    async record(db, entry) {
      await audit.record(db, entry)
      const alert = alerts[entry.action]
      if (alert && (alert.when?.(entry) ?? true)) await enqueueAlert(db, entry, alert, clock())
    },
  })
}

/**
 * The notice is sent before the mail account is replaced, while the old one still answers. The new account could
 * deliver it to the person who replaces the account.
 */
export function createAccountNotice({ database, clock }: Clock & Pick<AppContext, 'database'>) {
  return async (actor: AuditEntry['actor'], mailer: Mailer): Promise<void> => {
    const entry = { action: 'mail-account-changed', actor } as const
    const ids = await enqueueAlert(database.db, entry, accountChange, clock())
    mailer.wake()
    await Promise.all(ids.map((id) => mailer.outcomeOf(id, noticeMs)))
  }
}

interface Alert {
  // The person is the account that the entry names as its subject, else the account that acted.
  to: 'administrators' | 'person' | 'both'
  when?: (entry: AuditEntry) => boolean
  title: string
  // It may have {name}, who acted, {subject}, {affected}, {role}, and {place}, the browser and address where they are known.
  body: string
}

/** @returns the ids of the messages; none while no account is stored */
async function enqueueAlert(db: Queryable, entry: AuditEntry, alert: Alert, now: Date): Promise<string[]> {
  const { action, actor, subject = '', affected = 0, detail } = entry
  const addresses = await readNoticeAddresses(db)
  if (!addresses) return []
  const wanted = new Set(alert.to === 'person' ? [] : addresses.administrators)
  if (alert.to !== 'administrators') wanted.add(entry.subject ?? actor.name)
  // RFC 6762: no mail server has an address with .local, which is the default.
  const reached = [...wanted].filter((address) => isMailAddress(address) && !address.endsWith('.local'))
  const role = detail?.role
  const words: Record<string, unknown> = { name: actor.name, subject, affected, role, place: placeOf(actor) }
  const body = alert.body.replace(/\{(\w+)\}/g, (_, word: string) => String(words[word]))
  const hour = Math.floor(now.getTime() / hourMs)
  const messages = (reached.length > 0 ? reached : [addresses.sender]).map((recipient) => {
    const content = { template: 'message', body, format: 'text' } as const
    const id = idOfKey(recipient, action, `${hour}\n${body}`)
    return { id, kind: 'single' as const, recipient, subject: noticeTitle + alert.title, content }
  })
  return await enqueue(db, messages, now)
}

const ifNotYou = 'If this was not you, change your password'
const reportBreach = `${ifNotYou} and report the breach: Privacy has the steps.`
const endAccount = `${ifNotYou} and end that account under People.`

const accountChange: Alert = {
  to: 'administrators',
  title: 'e-mail configuration changed',
  body: `{name} changes or removes the e-mail account of the system{place}. This message was still sent through the old one.\n\n${ifNotYou} and check the configuration in Email System.`,
}

const alerts: Partial<Record<AuditAction, Alert>> = {
  'signed-in': {
    to: 'person',
    when: ({ detail }) => detail?.newDevice === true,
    title: 'sign-in from a new browser',
    body: '{name} signed in from a browser that was not known{place}.\n\nIf this was not you, sign it out in Profile Settings and change your password.',
  },
  'device-allowed': {
    to: 'person',
    title: 'link for a new browser',
    body: 'The command line of the server made a link that makes one browser known. It works once, within an hour.\n\nIf nobody asked for it, tell the person who runs the server.',
  },
  'password-changed': {
    to: 'person',
    title: 'password changed',
    body: 'The password was changed by {name}{place}.\n\nIf this was not you, ask the person who runs the server to reset it.',
  },
  'two-factor-off': {
    to: 'person',
    title: 'two-factor sign-in turned off',
    body: `Two-factor sign-in was turned off by {name}{place}.\n\n${ifNotYou} and turn it on again.`,
  },
  'api-token-made': {
    to: 'administrators',
    title: 'new API token',
    body: '{name} created the API token “{subject}”{place}. It can send e-mail in the school’s name.\n\nIf this was not you, revoke it in System Settings and change your password.',
  },
  'settings-changed': {
    to: 'administrators',
    when: ({ fields }) => fields?.includes('publicAddress') === true,
    title: 'public address changed',
    body: `{name} changed the address where links in e-mails lead{place}.\n\n${ifNotYou} and check the public address in System Settings.`,
  },
  'backup-made': {
    to: 'administrators',
    // At its first byte: one that is broken off shortly before its end has nearly everything.
    // A nightly one goes to its folder, also where somebody didn't wait for the night.
    when: ({ detail, actor }) => detail?.begun === true && !detail.nightly && actor.adminId !== null,
    title: 'a backup was downloaded',
    body: `{name} downloaded a backup of all records{place}.\n\n${reportBreach}`,
  },
  'nightly-backup-changed': {
    to: 'administrators',
    title: 'nightly backup changed',
    body: `{name} changed where the nightly backup goes, or its passphrase, or turned it off{place}.\n\n${ifNotYou} and check Backup in System Settings.`,
  },
  'students-exported': {
    to: 'administrators',
    when: ({ affected = 0, detail = {} }) => affected >= manyRecords || isOfAll(detail),
    title: 'students exported',
    body: `{name} exported the records of {affected} students{place}.\n\n${reportBreach}`,
  },
  'many-removed': {
    to: 'administrators',
    title: 'many records removed',
    body: `{name} removed the records of {affected} students within an hour{place}.\n\nThey were deleted, marked as fake, merged, or removed by undoing an import. The audit trail lists each one. ${reportBreach}`,
  },
  'student-file-downloaded': {
    to: 'administrators',
    title: 'all data of one student downloaded',
    body: `{name} downloaded all that is held on the student {subject}{place}.\n\n${reportBreach}`,
  },
  'sign-in-refused': {
    to: 'person',
    when: ({ actor, detail }) => actor.name !== '' && String(detail?.reason).includes('too many attempts'),
    title: 'failed sign-ins',
    body: 'Repeated failed sign-ins for {name}. Browsers that never signed in must wait, for up to 15 minutes at a time.\n\nYour own browser signs in as before. On a new one use a recovery code, or ask the person who runs the server for a link.',
  },
  'person-added': {
    to: 'administrators',
    title: 'a person was added',
    body: `{name} added an account for {subject}{place}. Its role: {role}.\n\n${endAccount}`,
  },
  'person-changed': {
    to: 'administrators',
    when: ({ fields, detail }) => fields?.includes('role') === true && detail?.role === 'administrator',
    title: 'another administrator',
    body: `{name} made {subject} an administrator{place}.\n\n${endAccount}`,
  },
  'second-factor-reset': {
    to: 'both',
    title: 'two-factor sign-in reset',
    body: '{name} turned off two-factor sign-in of {subject}{place}.\n\nIf nobody asked for it, tell an administrator, and set it up again in Profile Settings.',
  },
}

// Whether no filter is set. An export of all archived records counts too, and so does any order.
function isOfAll({
  searched,
  sort: _anyOrder,
  archive: _anyState,
  ...filters
}: Record<string, unknown>): boolean {
  const all: Record<string, unknown> = { ...defaultStudentFilters }
  return searched === false && Object.entries(filters).every(([name, value]) => value === all[name])
}

function placeOf({ clientAddress, userAgent }: AuditEntry['actor']): string {
  if (clientAddress === '') return ''
  const { browser, system } = deviceName(userAgent)
  return `: ${[browser, system].filter(Boolean).join(' on ') || 'an unknown browser'}, address ${clientAddress}`
}
