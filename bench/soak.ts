import { type Bench, isQuick } from './bench.ts'
import { runLoad } from './load.ts'
import { openTerm, peopleOf, placeEverybody, sectionsOf } from './measure-office.ts'
import { readMemory } from './processes.ts'
import { atMost, type Figure, format } from './report.ts'
import {
  listRequests,
  programRequests,
  registrationRequests,
  searchRequests,
  sectionRequests,
  statisticsRequests,
  summaryRequests,
} from './workload.ts'

const minutes = isQuick ? 3 : 60
const records = 10_000
const connections = 16
const sampleMs = 1_000

/** What a process holds after a long mixed load, beside what it held after a fifth of the time. */
export async function measureSoak({ product, database, cookie }: Bench): Promise<Figure[]> {
  const { port, pid } = product
  const { api, id } = await openTerm({ product, database, cookie }, records)
  await placeEverybody(api, id)
  const students = (await peopleOf(api, id)).map((student) => student.id)
  await database.fillContent()
  const get = (path: string) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept-Encoding: br\r\n\r\n`)
  const page = (path: string) => () => get(path)
  const register = await registrationRequests(port, true)
  const search = searchRequests(port, cookie)
  const list = listRequests(port, cookie, { count: records, page: 'any' })
  const turns = [
    ...Array.from({ length: 50 }, () => page('/')),
    ...Array.from({ length: 20 }, () => page('/api/announcements?limit=20')),
    ...Array.from({ length: 10 }, () => page('/register')),
    ...Array.from({ length: 10 }, () => list),
    ...[search, search, search, search, search],
    ...[statisticsRequests(port, cookie), page('/announcements'), register],
    ...[summaryRequests(port, cookie, id), programRequests(port, cookie, students)],
    sectionRequests(port, cookie, { termId: id, sections: await sectionsOf(api, id) }),
  ]
  let turn = 0
  const samples: number[] = []
  const sampling = setInterval(() => samples.push(readMemory(pid)?.own ?? Number.NaN), sampleMs)
  const seconds = minutes * 60
  const next = () => (turns[turn++ % turns.length] ?? register)()
  const { perSecond, p99, failures } = await runLoad({ port, connections, seconds, warmUpSeconds: 0, next })
  clearInterval(sampling)
  const second = medianOfFifth(samples, 1)
  const last = medianOfFifth(samples, 4)
  return [
    {
      what: `${minutes} minutes of mixed requests, ${connections} connections: memory of Node, median of the second fifth and of the last`,
      product: `${format(second)} MB, then ${format(last)} MB (${format(perSecond)}/s, p99 ${format(p99)} ms, failed: ${failures || 'none'})`,
      reference: '',
      aim: atMost((last / second - 1) * 100, 10, '%'),
    },
  ]
}

function medianOfFifth(samples: readonly number[], fifth: number): number {
  const size = Math.floor(samples.length / 5)
  const part = samples.slice(fifth * size, (fifth + 1) * size).sort((one, other) => one - other)
  return part[Math.floor(part.length / 2)] ?? Number.NaN
}
