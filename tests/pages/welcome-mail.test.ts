import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { configureMail } from '#tests/setup/configure-mail.ts'
import { enlistmentAnswers } from '#tests/setup/enlistment-answers.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { configureUnlimitedMail } from '#tests/setup/mailing-product.ts'
import { openPlainBrowser } from '#tests/setup/plain-browser.ts'
import { referenceOf, shownText, textOf } from '#tests/setup/plain-page.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

const sent = 'A confirmation email has been sent to your email address.'
const notSent = 'Registration complete. We could not send an email confirmation at this time.'

let product: Product
let sink: MailSink
let cookie: string
let call: ReturnType<typeof createAdminClient>['call']

beforeAll(async () => {
  sink = await startMailSink()
  // Links in mails need to know where the site is found.
  const env = { RATE_LIMITS: 'off', PUBLIC_URL: 'http://nstp.school.example', ALLOW_HTTP: 'on' }
  product = await startProduct(env)
  cookie = await configureUnlimitedMail(product.url, sink.account)
  call = createAdminClient(product, cookie).call
})
afterAll(async () => {
  await product.remove()
  await sink.close()
})
beforeEach(async () => {
  sink.reset()
  // Ends a pause after failures.
  await configureMail(product.url, cookie, sink.account)
})

async function enlist(locale: string, submit: string, email: string) {
  const { open, press } = openPlainBrowser(product.url, { 'Accept-Language': locale })
  return await press(await open('/register'), submit, enlistmentAnswers({ email }))
}

/** Sends a bulk mail; gives how many get it. */
async function sendToMany(email: string): Promise<number> {
  const mail = { recipients: [{ email }], subject: 'Parade', template: 'Dear {firstName}' }
  const answer = await call('POST', '/send-bulk-emails', { ...mail, useCustomTemplate: true })
  // Where everybody is left out, there is no bulk mail at all.
  const { results = [] }: { results?: { success: boolean }[] } = await answer.json()
  return results.filter(({ success }) => success).length
}

/** The page of the link that a bulk mail names, on this product. */
async function unsubscribeLink(email: string): Promise<string> {
  expect(await sendToMany(email)).toBe(1)
  const mailOf = () => sink.messages.find(({ to }) => to[0] === email)
  await vi.waitFor(() => expect(mailOf()).toBeDefined(), 20_000)
  const head = (mailOf()?.raw ?? '').replace(/\r?\n[ \t]+/g, ' ')
  const pattern = /^List-Unsubscribe: <http:\/\/nstp\.school\.example(\/unsubscribe\?token=[\w-]+)>/im
  const [, link = ''] = pattern.exec(head) ?? []
  expect(link).toMatch(/^\/unsubscribe/)
  return link
}

test('the confirmation page says that the mail was sent, which has the same code', async () => {
  const confirmation = await enlist('en-PH', 'Submit registration', 'jun@student.example')
  expect(confirmation.address).toBe('/register/confirmation')
  expect(shownText(confirmation)).toContain(sent)
  expect(shownText(confirmation)).not.toContain(notSent)
  expect(sink.messages.map(({ to }) => to)).toEqual([['jun@student.example']])
  expect(sink.messages[0]?.raw).toContain(referenceOf(confirmation))
})

test('a form in Filipino is confirmed by a mail in Filipino', async () => {
  const confirmation = await enlist('fil-PH', 'Isumite ang form', 'ana@student.example')
  expect(textOf(confirmation, 'article h1')).toMatch(/^Matagumpay/)
  expect(sink.messages[0]?.raw).toContain('Subject: Maligayang pagdating sa NSTP')
  expect(sink.messages[0]?.raw).toContain('Naka-enlist ka na sa NSTP')
})

test('an enlistment is saved when the mail server is down, and the page says so', async () => {
  sink.fault({ at: 'greeting', does: 'cut' })
  sink.fault({ at: 'mail', does: 'cut' })
  const confirmation = await enlist('en-PH', 'Submit registration', 'pia@student.example')
  expect(shownText(confirmation)).toContain(notSent)
  expect(shownText(confirmation)).not.toContain(sent)
  expect(referenceOf(confirmation)).toMatch(/^NSTP-/)
})

test('the link of a bulk mail stops announcements, and its page has them again', async () => {
  const email = 'leo@student.example'
  const link = await unsubscribeLink(email)
  const { open, press } = openPlainBrowser(product.url)
  const asked = await open(link)
  expect(textOf(asked, 'h1')).toBe('Announcements by e-mail')
  expect(asked.headers.get('Cache-Control')).toBe('no-store')
  // What a preview opens changes nothing.
  expect(await sendToMany(email)).toBe(1)
  const stopped = await press(asked, 'Stop announcements by e-mail')
  expect(textOf(stopped, 'h1')).toBe('Announcements by e-mail stopped')
  expect(await sendToMany(email)).toBe(0)
  const resumed = await press(stopped, 'Resume announcements by e-mail')
  expect(textOf(resumed, 'h1')).toBe('Announcements by e-mail')
  expect(await sendToMany(email)).toBe(1)
})

test('one click in a mail program is enough', async () => {
  const email = 'eva@student.example'
  const link = await unsubscribeLink(email)
  // RFC 8058: no cookie, no origin, and no redirect in the answer.
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const answer = await fetch(`${product.url}${link}`, { method: 'POST', body, redirect: 'manual' })
  expect(answer.status).toBe(200)
  expect(await sendToMany(email)).toBe(0)
  const page = await openPlainBrowser(product.url).open(link)
  expect(textOf(page, 'h1')).toBe('Announcements by e-mail stopped')
  expect(page.document.querySelector('meta[name="robots"]')?.getAttribute('content')).toBe('noindex')
})

test('a link that is not ours changes nothing and tells nothing', async () => {
  const page = await openPlainBrowser(product.url).open('/unsubscribe?token=abc')
  expect(page.status).toBe(404)
  expect(shownText(page)).toContain('Please open the link from the e-mail again')
  expect(page.document.querySelectorAll('main button, main form')).toHaveLength(0)
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const answer = await fetch(`${product.url}/unsubscribe?token=abc`, { method: 'POST', body })
  expect(answer.status).toBe(404)
})
