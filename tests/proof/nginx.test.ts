import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '#tests/faults/load.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { createAuthority } from '#tests/setup/certificates.ts'
import { findFreePort } from '#tests/setup/free-port.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'

// Debian's packages `nginx` and `testssl.sh`.
const [nginx, testssl] = ['/usr/sbin/nginx', '/usr/bin/testssl']
const longestSeconds = 540
const host = 'nstp.school.edu.ph'

/** The document's configuration, with this machine's ports and a certificate of the test. */
function configurationFor(folder: string, ports: { http: number; https: number; product: number }) {
  const [, block = ''] = /```nginx\n(.+?)```/s.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  const here = [
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${ports.https} ssl;`],
    ['http://127.0.0.1:3000', `http://127.0.0.1:${ports.product}`],
    [`/etc/letsencrypt/live/${host}`, folder],
    ['/var/log/nginx', folder],
  ] as const
  const servers = here.reduce((configuration, [theirs, ours]) => {
    expect(configuration).toContain(theirs)
    return configuration.replaceAll(theirs, ours)
  }, block)
  const files = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = files.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')
  return `pid ${folder}/pid; daemon off; error_log ${folder}/log; events {}
http {\n${temporary}\n${servers} }`
}

describe.runIf(existsSync(nginx))('behind nginx, as the document configures it', () => {
  let folder: TemporaryFolder
  let product: Product
  let proxy: ReturnType<typeof spawn>
  let authority: ReturnType<typeof createAuthority>
  const ports = { http: 0, https: 0, product: 0 }

  beforeAll(async () => {
    folder = makeTemporaryFolder()
    product = await startProduct({ PUBLIC_URL: `https://${host}`, TRUST_PROXY: 'on', LOG_LEVEL: 'warn' })
    ports.product = Number(new URL(product.url).port)
    ports.http = await findFreePort()
    ports.https = await findFreePort()
    authority = createAuthority(folder.path)
    const { key, cert } = authority.issue(`DNS:${host}`)
    writeFileSync(join(folder.path, 'privkey.pem'), key)
    writeFileSync(join(folder.path, 'fullchain.pem'), cert)
    const configuration = join(folder.path, 'nginx.conf')
    writeFileSync(configuration, configurationFor(folder.path, ports))
    proxy = spawn(nginx, ['-c', configuration], { stdio: ['ignore', 'inherit', 'inherit'] })
    await until('nginx answers', () =>
      read('/api/health').then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
  }, 240_000)
  afterAll(async () => {
    const ended = once(proxy, 'exit')
    proxy.kill()
    await ended
    await product.remove()
    folder.remove()
  })

  async function read(path: string, { body = '', headers = {} } = {}) {
    const sent = request({
      host: '127.0.0.1',
      port: ports.https,
      path,
      method: body ? 'POST' : 'GET',
      servername: host,
      ca: readFileSync(authority.path),
      headers: { Host: host, ...headers },
    })
    sent.end(body)
    const [answer] = await once(sent, 'response')
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
  }

  test('http leads to https, and pages come with the headers and cookies of https', async () => {
    const plain = await fetch(`http://127.0.0.1:${ports.http}/faq?a=b`, { redirect: 'manual' })
    expect([plain.status, plain.headers.get('Location')]).toEqual([301, `https://${host}/faq?a=b`])
    const page = await read('/faq')
    expect(page.status).toBe(200)
    expect(page.headers['strict-transport-security']).toMatch(/^max-age=31536000/)
    const signedIn = await read('/api/session', {
      body: JSON.stringify({ email: adminEmail, password: adminPassword }),
      headers: { 'Content-Type': 'application/json', Origin: `https://${host}` },
    })
    expect(signedIn.status).toBe(200)
    expect(String(signedIn.headers['set-cookie'])).toMatch(/__Host-nstp-session=[^;]+;.*Secure/i)
  })

  test('its log has no query, in which the office searches for a name', async () => {
    const path = '/api/students?search=dela-cruz'
    expect(
      (await read(path, { headers: { Referer: `https://${host}/admin?search=dela-cruz` } })).status,
    ).toBe(401)
    const written = () => readFileSync(join(folder.path, 'nstp.log'), 'utf8')
    await until('the request is logged', async () => written().includes('GET /api/students"'))
    expect(written()).not.toContain('cruz')
  })

  test.runIf(existsSync(testssl))('testssl finds nothing of its TLS', async () => {
    const report = join(folder.path, 'testssl.json')
    const scan = spawn(
      'timeout',
      [
        ...[String(longestSeconds), testssl, '--quiet', '--color', '0', '--warnings', 'batch'],
        ...['--nodns', 'none', '--ip', '127.0.0.1', '--add-ca', authority.path, '--jsonfile', report],
        ...['--protocols', '--standard', '--server-preference', '--pfs', '--server-defaults'],
        ...['--headers', '--vulnerable', `https://${host}:${ports.https}/`],
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await text(scan.stdout)
    const findings: { id: string; severity: string; finding: string }[] = JSON.parse(
      readFileSync(report, 'utf8'),
    )
    const found = (id: string) => findings.find((one) => one.id === id)?.finding
    const versions = ['SSLv3', 'TLS1', 'TLS1_1', 'TLS1_2', 'TLS1_3']
    expect(versions.filter((version) => found(version)?.startsWith('offered'))).toEqual(['TLS1_2', 'TLS1_3'])
    expect(found('cert_chain_of_trust')).toMatch(/^passed/)
    // Of a day, and of an authority without a list of what it revoked: the test's certificate. And pages are compressed:
    // they have no secret beside what another site could put there.
    const accepted = /^(cert_expirationStatus|cert_notAfter|cert_revocation|BREACH)$/
    const bad = findings.filter(
      ({ id, severity }) => /^(MEDIUM|HIGH|CRITICAL|FATAL)$/.test(severity) && !accepted.test(id),
    )
    expect(bad).toEqual([])
  })
})
