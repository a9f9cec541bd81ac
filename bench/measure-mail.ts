import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { configureUnlimitedMail, queueMail } from '#tests/setup/mailing-product.ts'
import { type Bench, isQuick } from './bench.ts'
import { type Figure, format } from './report.ts'

// Below the messages a minute that the settings allow, over all rounds.
const count = isQuick ? 200 : 1_500
const rounds = isQuick ? 1 : 2
const timeoutMs = 120_000

const senderEntry = fileURLToPath(new URL('mail-sender.js', import.meta.url))

export async function measureMail({ product, database }: Bench): Promise<Figure[]> {
  const sink = await startMailSink()
  try {
    await configureUnlimitedMail(`http://127.0.0.1:${product.port}`, sink.account)
    const rates: Record<'product' | 'reference', number[]> = { product: [], reference: [] }
    await rateOf(sink, 100, (messages) => queueMail(database.run, messages))
    for (let round = 0; round < rounds; round++) {
      rates.reference.push(await rateOf(sink, count, (messages) => sendBare(sink, messages)))
      rates.product.push(await rateOf(sink, count, (messages) => queueMail(database.run, messages)))
    }
    const rendered = mean(rates.product)
    const bare = mean(rates.reference)
    return [
      {
        what: 'mail from the queue, claimed, rendered and recorded one by one, without a quota limit; reference: nodemailer in a loop over one connection',
        product: `${format(rendered)}/s`,
        reference: `${format(bare)}/s`,
        // A Gmail account takes 500 in a day: the figure is for servers of one's own.
        aim: `${format((100 * rendered) / bare)}% of the reference`,
      },
    ]
  } finally {
    await sink.close()
  }
}

async function rateOf(
  sink: MailSink,
  messages: number,
  order: (messages: number) => Promise<void>,
): Promise<number> {
  sink.reset()
  const startedAt = performance.now()
  await order(messages)
  for (const end = startedAt + timeoutMs; sink.messages.length < messages; await sleep(5)) {
    if (performance.now() > end) throw new Error(`${sink.messages.length} of ${messages} messages were sent`)
  }
  return messages / ((performance.now() - startedAt) / 1_000)
}

// In a separate process, as the product is.
async function sendBare({ account }: MailSink, messages: number): Promise<void> {
  const child = spawn(process.execPath, [senderEntry, JSON.stringify({ account, messages })], {
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the bare loop ended with exit code ${code}`)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
