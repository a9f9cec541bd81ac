import type { Queryable } from '#server/database/schema.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { Audit, AuditEntry } from '#server/lib/audit.ts'
import { idOfKey } from '#server/lib/idempotency.ts'
import { deviceName } from '#shared/auth/device-name.ts'
import { isMailAddress } from '#shared/mail/mail-address.ts'
import { defaultStudentFilters } from '#shared/students/students.ts'
import { readNoticeAddresses } from './account-repository.ts'
import { enqueueOnce } from './ledger-repository.ts'
import type { Mailer } from './mailer.ts'
import { noticeTitle } from './messages-repository.ts'

const hourMs = 60 * 60 * 1000
// Records: an export of one course or section is everyday work.
const manyRecords = 1_000
// ms: how long a change of the account waits for the mail about it.
const noticeMs = 10_000

type Clock = Pick<AppContext, 'clock'>

/** Entries of the audit trail that an intruder would cause also become a mail; what reads alike, once an hour. */
export function createAlerts({ clock }: Clock) {
  return (audit: Audit): Audit => ({
    ...audit,
    async record(db, entry) {
      await audit.record(db, entry)
      const alert = alertOf(entry) ?? alertOfPerson(entry)
      if (alert) await enqueueAlert(db, entry.action, alert, clock())
    },
  })
}

/**
 * The notice is sent before the mail account is replaced, while the old one still answers. The new account could
 * deliver it to the person who replaces the account.
 */
export function createAccountNotice({ database, clock }: Clock & Pick<AppContext, 'database'>) {
  return async (actor: AuditEntry['actor'], mailer: Mailer): Promise<void> => {
    const alert: Alert = {
      person: null,
      isForOffice: true,
      subject: `${noticeTitle}e-mail configuration changed`,
      body: `${actor.name} changes or removes the e-mail account of the system${placeOf(actor)}. This message was still sent through the old one.\n\n${ifNotYou} and check the configuration in Email System.`,
    }
    const ids = await enqueueAlert(database.db, 'mail-account-changed', alert, clock())
    mailer.wake()
    await Promise.all(ids.map((id) => mailer.outcomeOf(id, noticeMs)))
  }
}

interface Alert {
  // The e-mail address of the person it concerns.
  person: string | null
  // Whether the administrators get it too.
  isForOffice: boolean
  subject: string
  body: string
}

/** @returns the ids of the messages; none while no account is stored */
async function enqueueAlert(db: Queryable, action: string, alert: Alert, now: Date): Promise<string[]> {
  const { person, isForOffice, subject, body } = alert
  const addresses = await readNoticeAddresses(db)
  if (!addresses) return []
  // RFC 6762: no mail server has such an address, which is the default.
  const wanted = new Set(isForOffice ? addresses.administrators : [])
  if (person !== null) wanted.add(person)
  const reached = [...wanted].filter((address) => isMailAddress(address) && !address.endsWith('.local'))
  const hour = Math.floor(now.getTime() / hourMs)
  const messages = (reached.length > 0 ? reached : [addresses.sender]).map((recipient) => {
    const content = { template: 'message', body, format: 'text' } as const
    const id = idOfKey(recipient, action, `${hour}\n${body}`)
    return { id, kind: 'single' as const, recipient, subject, content }
  })
  for (const message of messages) await enqueueOnce(db, message, now)
  return messages.map(({ id }) => id)
}

const ifNotYou = 'If this was not you, change your password'
const reportBreach = `${ifNotYou} and report the breach: Privacy has the steps.`

function alertOf({
  action,
  actor,
  subject,
  fields,
  affected = 0,
  detail = {},
}: AuditEntry): Alert | undefined {
  const { name, adminId } = actor
  // The notice is to the account that the entry names as its subject, else to the account that acted.
  const personal = (title: string, body: string): Alert => ({
    ...notice(title, body),
    person: subject ?? name,
    isForOffice: false,
  })
  const place = placeOf(actor)
  switch (action) {
    case 'signed-in':
      if (detail.newDevice !== true) return undefined
      return personal(
        'sign-in from a new browser',
        `${name} signed in from a browser that was not known${place}.\n\nIf this was not you, sign it out in Profile Settings and change your password.`,
      )
    case 'device-allowed':
      return personal(
        'link for a new browser',
        'The command line of the server made a link that makes one browser known. It works once, within an hour.\n\nIf nobody asked for it, tell the person who runs the server.',
      )
    case 'password-changed':
      return personal(
        'password changed',
        `The password was changed by ${name}${place}.\n\nIf this was not you, ask the person who runs the server to reset it.`,
      )
    case 'two-factor-off':
      return personal(
        'two-factor sign-in turned off',
        `Two-factor sign-in was turned off by ${name}${place}.\n\n${ifNotYou} and turn it on again.`,
      )
    case 'api-token-made':
      return notice(
        'new API token',
        `${name} created the API token “${subject}”${place}. It can send e-mail in the school’s name.\n\nIf this was not you, revoke it in System Settings and change your password.`,
      )
    case 'settings-changed':
      if (!fields?.includes('publicAddress')) return undefined
      return notice(
        'public address changed',
        `${name} changed the address where links in e-mails lead${place}.\n\n${ifNotYou} and check the public address in System Settings.`,
      )
    case 'backup-made':
      // At its first byte: one that is broken off shortly before its end has nearly everything.
      // A nightly one goes to its folder, also where somebody didn't wait for the night.
      if (detail.begun !== true || detail.nightly || adminId === null) return undefined
      return notice(
        'a backup was downloaded',
        `${name} downloaded a backup of all records${place}.\n\n${reportBreach}`,
      )
    case 'nightly-backup-changed':
      return notice(
        'nightly backup changed',
        `${name} changed where the nightly backup goes, or its passphrase, or turned it off${place}.\n\n${ifNotYou} and check Backup in System Settings.`,
      )
    case 'students-exported':
      if (affected < manyRecords && !isOfAll(detail)) return undefined
      return notice(
        'students exported',
        `${name} exported the records of ${affected} students${place}.\n\n${reportBreach}`,
      )
    case 'many-removed':
      return notice(
        'many records removed',
        `${name} removed the records of ${affected} students within an hour${place}.\n\nThey were deleted, marked as fake, merged, or removed by undoing an import. The audit trail lists each one. ${reportBreach}`,
      )
    case 'student-file-downloaded':
      return notice(
        'all data of one student downloaded',
        `${name} downloaded all that is held on the student ${subject}${place}.\n\n${reportBreach}`,
      )
    case 'sign-in-refused':
      if (name === '' || !String(detail.reason).includes('too many attempts')) return undefined
      return personal(
        'failed sign-ins',
        `Repeated failed sign-ins for ${name}. Browsers that never signed in must wait, for up to 15 minutes at a time.\n\nYour own browser signs in as before. On a new one use a recovery code, or ask the person who runs the server for a link.`,
      )
    default:
      return undefined
  }
}

function alertOfPerson({ action, actor, subject = '', fields, detail = {} }: AuditEntry): Alert | undefined {
  const place = placeOf(actor)
  const { name } = actor
  switch (action) {
    case 'person-added':
      return notice(
        'a person was added',
        `${name} added an account for ${subject}${place}. Its role: ${detail.role}.\n\n${ifNotYou} and end that account under People.`,
      )
    case 'person-changed':
      if (!fields?.includes('role') || detail.role !== 'administrator') return undefined
      return notice(
        'another administrator',
        `${name} made ${subject} an administrator${place}.\n\n${ifNotYou} and end that account under People.`,
      )
    case 'second-factor-reset':
      return {
        ...notice(
          'two-factor sign-in reset',
          `${name} turned off two-factor sign-in of ${subject}${place}.\n\nIf nobody asked for it, tell an administrator, and set it up again in Profile Settings.`,
        ),
        person: subject,
      }
    default:
      return undefined
  }
}

function notice(title: string, body: string): Alert {
  return { subject: noticeTitle + title, body, person: null, isForOffice: true }
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
