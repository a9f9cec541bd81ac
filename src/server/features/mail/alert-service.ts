import type { AppContext } from '#server/lib/app-context.ts'
import type { Audit, AuditEntry } from '#server/lib/audit.ts'
import { idOfKey } from '#server/lib/idempotency.ts'
import { deviceName } from '#shared/auth/device-name.ts'
import { isMailAddress } from '#shared/mail/mail-address.ts'
import { enqueueOnce } from './ledger-repository.ts'
import type { AccountSource } from './mailer.ts'

const hourMs = 60 * 60 * 1000

interface AlertOptions extends Pick<AppContext, 'clock'> {
  account: AccountSource['current']
}

/** Entries of the audit trail that an intruder would cause also become a mail, once an hour of each kind. */
export function createAlerts({ clock, account }: AlertOptions) {
  return (audit: Audit): Audit => ({
    ...audit,
    async record(db, entry) {
      await audit.record(db, entry)
      const sender = account()
      const alert = sender && alertOf(entry)
      if (!alert) return
      const admins = await db.selectFrom('admins').select('email').execute()
      // RFC 6762: no mail server has such an address, which is the default.
      const reached = admins.filter(({ email }) => isMailAddress(email) && !email.endsWith('.local'))
      const hour = Math.floor(clock().getTime() / hourMs)
      for (const recipient of reached.length > 0
        ? reached.map(({ email }) => email)
        : [sender.senderAddress]) {
        const id = idOfKey(recipient, entry.action, String(hour))
        const content = { template: 'message', body: alert.body, format: 'text' } as const
        await enqueueOnce(db, { id, kind: 'single', recipient, subject: alert.subject, content }, clock())
      }
    },
  })
}

function alertOf({ action, actor, subject, detail = {} }: AuditEntry) {
  const { name, adminId, clientAddress, userAgent } = actor
  if (action === 'signed-in' && detail.newDevice === true) {
    const { browser, system } = deviceName(userAgent)
    const device = [browser, system].filter(Boolean).join(' on ') || 'An unknown browser'
    return {
      subject: 'Security notice: sign-in from a new browser',
      body: `${name} signed in from a browser that was not known: ${device}, address ${clientAddress}.\n\nIf this was not you, sign it out in Profile Settings and change your password.`,
    }
  }
  if (action === 'api-token-made') {
    return {
      subject: 'Security notice: new API token',
      body: `${name} created the API token “${subject}”. It can send e-mail in the school’s name.\n\nIf this was not you, revoke it in System Settings and change your password.`,
    }
  }
  if (action === 'backup-made' && detail.finished === true && adminId !== null) {
    return {
      subject: 'Security notice: a backup was downloaded',
      body: `${name} downloaded a backup of all records.\n\nIf this was not you, change your password and report the breach: Privacy has the steps.`,
    }
  }
  if (action === 'sign-in-refused' && name !== '' && String(detail.reason).includes('too many attempts')) {
    return {
      subject: 'Security notice: wrong passwords',
      body: `Somebody tried wrong passwords for ${name}. Browsers that never signed in must wait, for up to 15 minutes at a time.\n\nYour own browser signs in as before. On a new one use a recovery code, or ask the person who runs the server for a link.`,
    }
  }
  return undefined
}
