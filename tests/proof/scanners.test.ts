import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildRegistration } from '#tests/factories/registration.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import {
  baseOf,
  type Description,
  type Operation,
  operationsOf,
  readDescription,
  type Schema,
} from '#tests/setup/api-description.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'

// Debian's packages `sqlmap` and `wapiti`.
const sqlmap = '/usr/bin/sqlmap'
const wapiti = '/usr/bin/wapiti'
// Less for a trial.
const sqlmapSeconds = Number(process.env.SCAN_SECONDS ?? 540)
// It ends by limits of its own, on a busy machine later, and what it said before is nothing: only for one that hangs.
const wapitiSeconds = 1_000
const knownId = '0198f4b2-0000-7000-8000-000000000000'
const samples: [RegExp, string][] = [
  [/email/i, adminEmail],
  [/password/i, adminPassword],
  [/date|from|until|on$/i, '2026-11-20'],
  [/id$/i, knownId],
]
// All but those that need a server elsewhere, lists of files of other products, and forms without a token: ours are
// refused by their origin.
const modules =
  'backup,blindsql,cookieflags,crlf,csp,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss'

// The end of the scan's own session, its password, streams without an end, and what takes minutes by design.
const leftOut =
  /^(DELETE \/session|PUT \/session\/password|GET \/events|POST \/backup|.*two-factor.*|.*\/mail\/test.*)/
// It ends the session that it is sent with.
const signIn = 'POST /session'

// Those that read something of their address, or have a form.
const pages = [
  ...[
    '/register',
    '/login?next=/admin',
    '/announcements?category=General',
    '/unsubscribe?token=a',
    '/contact',
  ],
  ...['/language/fil?next=/faq', '/admin?search=a', '/statistics?period=year', '/help/records'],
]
// Two need https, which is the proxy's. One belongs to browsers of the past, where it did harm.
const accepted = /Strict-Transport-Security is not set|Secure flag is not set|X-XSS-Protection is not set/

describe('scanners find nothing of high severity', { timeout: 1_200_000 }, () => {
  let folder: TemporaryFolder
  let product: Product
  let description: Description
  let session: string

  beforeAll(async () => {
    folder = makeTemporaryFolder()
    product = await startProduct({ RATE_LIMITS: 'off', LOG_LEVEL: 'warn', API_DOCS: 'public' }, ['--demo'])
    description = await readDescription(product.url)
    // Before the scans, whose wrong passwords pause the account.
    session = await signInOverHttp(product.url)
  }, 240_000)
  afterAll(async () => {
    await product.remove()
    folder.remove()
  })

  /** Something that passes where a text is expected, so that what reaches a query is tested. */
  function sampleOf(schema: Schema | undefined, name = ''): unknown {
    const own = schema?.$ref ? description.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema
    if (own?.enum) return own.enum[0]
    if (own?.properties) {
      const entries = Object.entries(own.properties)
      return Object.fromEntries(entries.map(([property, of]) => [property, sampleOf(of, property)]))
    }
    if (own?.items) return [sampleOf(own.items, name)]
    const types = [own?.type].flat()
    if (types.includes('integer') || types.includes('number')) return 1
    if (types.includes('boolean')) return true
    return samples.find(([names]) => names.test(name))?.[1] ?? 'a'
  }

  function queryOf({ parameters = [] }: Operation): string {
    const texts = parameters
      .filter(({ in: where }) => where === 'query')
      .map(({ name, schema }) => `${name}=${encodeURIComponent(String(sampleOf(schema, name)))}`)
    return texts.length > 0 ? `?${texts.join('&')}` : ''
  }

  /** The address of each operation, and for sqlmap once more with its marks in the path. */
  function addresses(mark: '*' | '', isSignedIn: boolean) {
    return operationsOf(description).flatMap(({ path, method, operation }) => {
      if (leftOut.test(`${method.toUpperCase()} ${path}`)) return []
      if (isSignedIn ? `${method.toUpperCase()} ${path}` === signIn : operation.security) return []
      const fill = (after: string) =>
        baseOf(operation) +
        path.replace(/\{(\w+)\}/g, (_, name: string) => `${name === 'id' ? knownId : 'a'}${after}`) +
        queryOf(operation)
      const targets = path.includes('{') && mark ? [fill(''), fill(mark)] : [fill('')]
      return targets.map((target) => ({ path, method: method.toUpperCase(), target, operation }))
    })
  }

  type Address = ReturnType<typeof addresses>[number]

  /**
   * Those that read, each with one parameter of its query that any text passes for: beside others its value would be
   * refused with theirs, or leave nothing to find.
   */
  async function searches(cookie: string): Promise<Address[]> {
    const found: Address[] = []
    const status = async (target: string) => {
      const answer = await fetch(product.url + target, { headers: { Cookie: cookie } })
      await answer.arrayBuffer()
      return answer.status
    }
    for (const address of addresses('', cookie !== '')) {
      const [base, query = ''] = address.target.split('?')
      if (address.method !== 'GET' || query === '') continue
      for (const parameter of query.split('&')) {
        const target = `${base}?${parameter}`
        if ((await status(target)) === 200 && (await status(`${target}'`)) !== 422)
          found.push({ ...address, target })
      }
    }
    return found
  }

  /** In the form of Burp's log, which sqlmap reads. */
  function requestsFor(wanted: readonly Address[], cookie: string): string {
    const { host } = new URL(product.url)
    const line = '='.repeat(54)
    return wanted
      .map(({ path, method, target, operation }) => {
        const schema = operation.requestBody?.content['application/json']?.schema
        const body =
          schema && JSON.stringify(path === '/registrations' ? buildRegistration() : sampleOf(schema))
        const head = [
          `${method} ${target} HTTP/1.1`,
          `Host: ${host}`,
          'If-Match: "1"',
          `Origin: ${product.url}`,
          ...(cookie ? [`Cookie: ${cookie}`] : []),
          ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`] : []),
        ]
        return [line, `12:00:00  ${product.url}  [127.0.0.1]`, line, ...head, '', body ?? '', line, ''].join(
          '\n',
        )
      })
      .join('\n')
  }

  /** A scanner that isn't done by then is ended, and what it said until then counts. */
  async function scan(seconds: number, program: string, args: string[]): Promise<string> {
    const child = spawn('timeout', [String(seconds), program, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // What it said until then is not lost.
      env: { ...process.env, PYTHONUNBUFFERED: '1' },
    })
    return await text(child.stdout)
  }

  test.runIf(existsSync(sqlmap)).each([
    // Last the parameters that a busy machine tests in a minute: the whole time isn't enough for all.
    // `--smart` tries only what an error of the database shows, which no answer does; the third tries each.
    ['not signed in', ['--level=1'], 30],
    ['signed in', ['--level=2', '--smart'], 300],
    ['what is searched for', ['--level=2', '--skip=Host,nstp-session,nstp-device'], 10],
  ])('sqlmap finds no way into a query: %s', async (who, thoroughness, leastTested) => {
    const cookie = who === 'not signed in' ? '' : session
    const requests = join(folder.path, `${who}.log`)
    const wanted = who === 'what is searched for' ? await searches(cookie) : addresses('*', cookie !== '')
    writeFileSync(requests, requestsFor(wanted, cookie))
    const said = await scan(sqlmapSeconds, sqlmap, [
      ...['-l', requests, '--batch', '--ignore-stdin', '--disable-coloring', '--dbms=PostgreSQL'],
      ...['--technique=BEUS', '--ignore-code=400,401,403,404,409,413,415,422,428,429,503'],
      ...['--timeout=10', '--retries=0', '--skip=Host', `--output-dir=${join(folder.path, who)}`],
      ...thoroughness,
    ])
    const tested = said.match(/parameter '.+' might not be injectable/g) ?? []
    expect(tested.length).toBeGreaterThanOrEqual(leastTested)
    expect(said).not.toMatch(/identified the following injection point|is vulnerable/)
    // It had its session until then.
    const people = await fetch(`${product.url}/api/people`, { headers: { Cookie: cookie } })
    expect(people.status).toBe(cookie === '' ? 401 : 200)
  })

  test.runIf(existsSync(wapiti)).each(['not signed in', 'signed in'])(
    'wapiti finds nothing: %s',
    async (who) => {
      const cookie = who === 'signed in' ? session : ''
      const report = join(folder.path, `wapiti ${who}.json`)
      const read = addresses('', cookie !== '').flatMap(({ method, target }) =>
        method === 'GET' ? [target] : [],
      )
      const given = [...pages, ...read]
      const said = await scan(wapitiSeconds, wapiti, [
        ...['-u', `${product.url}/`, '--flush-session', '--no-bugreport', '--store-session', folder.path],
        ...given.flatMap((target) => ['-s', `${product.url}${target}`]),
        ...(cookie ? ['-H', `Cookie: ${cookie}`] : []),
        ...['-m', modules, '-d', '4', '--max-files-per-dir', '30', '--max-scan-time', '120', '-t', '10'],
        ...['--max-attack-time', '20', '-f', 'json', '-o', report],
      ])
      const [, reached] = /found (\d+) URLs/.exec(said) ?? []
      expect(Number(reached)).toBeGreaterThanOrEqual(given.length)
      const { vulnerabilities }: { vulnerabilities: Record<string, { info: string }[]> } = JSON.parse(
        readFileSync(report, 'utf8'),
      )
      const found = Object.entries(vulnerabilities).flatMap(([kind, each]) =>
        each.map(({ info }) => `${kind}: ${info}`),
      )
      expect(found.filter((one) => !accepted.test(one))).toEqual([])
    },
  )
})
