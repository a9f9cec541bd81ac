import type { SendingAccount } from '#server/features/mail/mailer.ts'

export async function configureMail(url: string, cookie: string, account: SendingAccount): Promise<void> {
  const { senderAddress, password, userName, ...rest } = account
  const response = await fetch(`${url}/api/update-email-config`, {
    method: 'POST',
    headers: { cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify({ emailUser: senderAddress, emailPassword: password, userName, ...rest }),
  })
  if (!response.ok) throw new Error(`e-mail was not configured: ${await response.text()}`)
}

export async function removeMailAccount(url: string, cookie: string): Promise<void> {
  const response = await fetch(`${url}/api/mail/account`, { method: 'DELETE', headers: { cookie } })
  if (!response.ok) throw new Error(`the mail account was not forgotten: status ${response.status}`)
}
