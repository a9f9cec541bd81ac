import type { WorkerFixture } from '@playwright/test'
import { configureMail, removeMailAccount } from '#tests/setup/configure-mail.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import type { Product } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { test as base } from './journey.ts'

interface MailFixtures {
  /** Whether e-mail is configured when the journey begins: `test.use({ isConfigured: false })`. */
  isConfigured: boolean
  /** The mail server of the journey: `sink.messages` is what it got, `sink.fault(…)` what it does wrong. */
  sink: MailSink
  /** The `Cookie` header of a signed-in administrator, for what a journey needs beside its browser. */
  cookie: string
}

/** A real mail server that keeps what it gets. */
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern
export const keepMailServer: WorkerFixture<MailSink, object> = async ({}, use) => {
  const mailServer = await startMailSink()
  await use(mailServer)
  await mailServer.close()
}

const cookies = new WeakMap<Product, string>()

/**
 * A journey's test with e-mail, and a real mail server that keeps what it gets. Before each journey e-mail is configured to
 * that server, which has forgotten what it got and what it was to do wrong. The limits of the settings are out of the way.
 */
export const test = base.extend<MailFixtures, { mailServer: MailSink }>({
  mailServer: [keepMailServer, { scope: 'worker' }],
  cookie: async ({ product }, use) => {
    const cookie = cookies.get(product) ?? (await signInOverHttp(product.url))
    if (!cookies.has(product)) await liftLimits(product.url, cookie)
    cookies.set(product, cookie)
    await use(cookie)
  },
  isConfigured: [true, { option: true }],
  sink: [
    async ({ product, mailServer, cookie, isConfigured }, use) => {
      mailServer.reset()
      if (isConfigured) await configureMail(product.url, cookie, mailServer.account)
      else await removeMailAccount(product.url, cookie)
      await use(mailServer)
    },
    { auto: true },
  ],
})

async function liftLimits(url: string, cookie: string): Promise<void> {
  const version = (await fetch(`${url}/api/settings`, { headers: { cookie } })).headers.get('ETag') ?? ''
  const response = await fetch(`${url}/api/settings`, {
    method: 'PATCH',
    headers: { cookie, 'Content-Type': 'application/json', 'If-Match': version },
    body: JSON.stringify({ mailPerDay: 100_000, mailPerMinute: 10_000 }),
  })
  if (!response.ok) throw new Error(`the limits were not changed: ${await response.text()}`)
}
