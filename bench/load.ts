import { connect } from 'node:net'

export interface LoadPlan {
  port: number
  connections: number
  next: () => Buffer
  // After the warm-up (`warmUpSeconds`).
  seconds?: number
  warmUpSeconds?: number
}

export interface LoadResult {
  perSecond: number
  // In ms, from the first byte sent to the last received.
  p50: number
  p99: number
  requests: number
  // As in '3 × 503 GET /api/students', with commas between; empty when none failed.
  failures: string
}

/**
 * Loads a server over plain sockets: the generator shares the machine with the server, and an HTTP client would use
 * more of it than the bare server.
 */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const { connections, seconds = 6, warmUpSeconds = 2 } = plan
  const from = performance.now() + warmUpSeconds * 1000
  const until = from + seconds * 1000
  const latencies: number[] = []
  const failed = new Map<string, number>()

  function note(startedAt: number, endedAt: number, failure: string | null) {
    if (failure !== null) failed.set(failure, (failed.get(failure) ?? 0) + 1)
    if (startedAt >= from && endedAt <= until) latencies.push(endedAt - startedAt)
  }

  await Promise.all(Array.from({ length: connections }, () => runConnection(plan, until, note)))
  latencies.sort((one, other) => one - other)
  return {
    perSecond: latencies.length / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    requests: latencies.length,
    failures: [...failed].map(([request, count]) => `${count} × ${request}`).join(', '),
  }
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

type Note = (startedAt: number, endedAt: number, failure: string | null) => void

function runConnection({ port, next }: LoadPlan, until: number, note: Note): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let answer = new Answer()
    let startedAt = 0
    let request: Buffer = Buffer.alloc(0)
    const send = () => {
      answer = new Answer()
      request = next()
      startedAt = performance.now()
      socket.write(request)
    }
    socket.once('connect', send)
    socket.once('error', reject)
    socket.once('close', () => resolve())
    socket.on('data', (chunk) => {
      if (!answer.add(chunk)) return
      const endedAt = performance.now()
      note(startedAt, endedAt, answer.isSuccess ? null : `${answer.status} ${pathOf(request)}`)
      if (endedAt < until) send()
      else socket.end()
    })
  })
}

// Ends before the query.
const pathOf = (request: Buffer) => /^\w+ [^ ?]+/.exec(request.toString('latin1', 0, 200))?.[0] ?? ''

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')

class Answer {
  status = ''
  #head = Buffer.alloc(0)
  // In bytes; null before the head has arrived, or when the body is chunked.
  #missing: number | null = null
  #isChunked = false
  #end = Buffer.alloc(0)

  get isSuccess(): boolean {
    return this.status === '200' || this.status === '201'
  }

  add(chunk: Buffer): boolean {
    if (this.#missing !== null || this.#isChunked) return this.#addBody(chunk)
    this.#head = Buffer.concat([this.#head, chunk])
    const end = this.#head.indexOf(headEnd)
    if (end === -1) return false
    const head = this.#head.toString('latin1', 0, end)
    this.status = /^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? ''
    this.#isChunked = /\r\ntransfer-encoding: chunked/i.test(head)
    this.#missing = this.#isChunked ? null : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    return this.#addBody(this.#head.subarray(end + headEnd.length))
  }

  #addBody(part: Buffer): boolean {
    if (this.#missing === null) {
      // The end mark may arrive split.
      this.#end = Buffer.concat([this.#end, part]).subarray(-lastChunk.length)
      return this.#end.equals(lastChunk)
    }
    this.#missing -= part.length
    return this.#missing <= 0
  }
}
