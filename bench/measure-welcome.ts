import { configureMail, removeMailAccount } from '#tests/setup/configure-mail.ts'
import { startMailSink } from '#tests/setup/mail-sink.ts'
import { type Bench, isQuick, seconds } from './bench.ts'
import { latencyText, mean } from './compare.ts'
import { type LoadResult, runLoad } from './load.ts'
import { atMost, type Figure } from './report.ts'
import { registrationRequests } from './workload.ts'

// The states alternate, so that a busy moment affects both.
const rounds = isQuick ? 1 : 3
// Few, so that one enlistment is measured and not the queue before it.
const connections = 4
// In ms: the cost of its row in the ledger.
const maxExtraMs = 5

export async function measureWelcome(bench: Bench): Promise<Figure[]> {
  const { product, cookie } = bench
  const url = `http://127.0.0.1:${product.port}`
  const load = async () => {
    await bench.database.empty()
    return runLoad({
      port: product.port,
      connections,
      seconds,
      next: await registrationRequests(product.port, true),
    })
  }
  const without: LoadResult[] = []
  const down: LoadResult[] = []
  for (let round = 0; round < rounds; round++) {
    await removeMailAccount(url, cookie)
    without.push(await load())
    const sink = await startMailSink()
    await configureMail(url, cookie, sink.account)
    await sink.close()
    down.push(await load())
  }
  await removeMailAccount(url, cookie)
  const [downMean, withoutMean] = [mean(down), mean(without)]
  return [
    {
      what: `registrations at ${connections} connections with the mail server down; reference: without e-mail`,
      product: latencyText(downMean),
      reference: latencyText(withoutMean),
      aim: atMost(downMean.p50 - withoutMean.p50, maxExtraMs, ' ms more'),
    },
  ]
}
