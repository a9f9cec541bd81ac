import { timingSafeEqual } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import type { AppContext } from '#server/lib/app-context.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError } from '#server/lib/errors.ts'
import { bearerOf } from './auth.ts'
import type { AppEnv } from './context.ts'

/** Counts what this process did since its start, in the text format of Prometheus. No value is of a person. */
export function createMetrics({ env, database }: Pick<AppContext, 'env' | 'database'>) {
  const requests = new Map<string, number>()
  let scriptErrors = 0
  const seconds = { sum: 0, count: 0 }
  const family = (name: string, type: 'gauge' | 'counter', samples: Iterable<readonly [string, number]>) =>
    [`# TYPE ${name} ${type}`, ...[...samples].map(([labels, value]) => `${name}${labels} ${value}`)].join(
      '\n',
    )

  function text(): string {
    const { totalCount, idleCount, waitingCount } = database.pool
    const connections = [
      ['{state="used"}', totalCount - idleCount],
      ['{state="idle"}', idleCount],
      ['{state="waited_for"}', waitingCount],
    ] as const
    const { user, system } = process.cpuUsage()
    return [
      family('process_start_time_seconds', 'gauge', [['', Date.now() / 1000 - process.uptime()]]),
      family('process_resident_memory_bytes', 'gauge', [['', process.memoryUsage.rss()]]),
      family('process_cpu_seconds_total', 'counter', [['', (user + system) / 1e6]]),
      family('nstp_requests_total', 'counter', requests),
      family('nstp_request_seconds_sum', 'counter', [['', seconds.sum]]),
      family('nstp_request_seconds_count', 'counter', [['', seconds.count]]),
      family('nstp_script_errors_total', 'counter', [['', scriptErrors]]),
      family('nstp_database_connections', 'gauge', connections),
      '',
    ].join('\n')
  }

  return createMiddleware<AppEnv>(async (c, next) => {
    const token = env.METRICS_TOKEN
    if (token === undefined || c.env?.isInProcess) return await next()
    if (c.req.path === '/metrics') {
      if (!timingSafeEqual(sha256(bearerOf(c) ?? ''), sha256(token))) throw new AppError('unauthenticated')
      return c.text(text(), 200, { 'Content-Type': 'text/plain; version=0.0.4', 'Cache-Control': 'no-store' })
    }
    const started = performance.now()
    await next()
    if (c.req.path === '/api/script-errors' && c.res.status === 204) scriptErrors += 1
    const labels = `{status="${c.res.status}"}`
    requests.set(labels, (requests.get(labels) ?? 0) + 1)
    seconds.sum += (performance.now() - started) / 1000
    seconds.count += 1
  })
}
