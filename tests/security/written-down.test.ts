import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { knownDeviceLifetime, sessionLimits } from '#server/features/auth/session-cookies.ts'
import { throttleSchedules } from '#server/features/auth/throttle-repository.ts'
import { codeLimits, missLimits, slipDays, studentSessionLimits } from '#shared/my/my.ts'
import { deskRoles, keptRoles } from '#shared/people/permissions.ts'
import { studentFields } from '#shared/students/student-fields.ts'

const operations = readFileSync('docs/operations.md', 'utf8').replaceAll('\n', ' ')

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test('operations.md has the numbers of the pauses after wrong passwords', () => {
  const words: Record<number, string> = { 5: 'Five', 10: 'Ten', 20: 'twenty' }
  const tries = (kind: keyof typeof throttleSchedules) =>
    words[throttleSchedules[kind].findIndex((pause) => pause > 0) + 1]
  const pauses = throttleSchedules.account.filter((pause) => pause > 0)
  expect(tries('account')).toBe(tries('device'))
  expect(operations).toContain(
    `${tries('account')} wrong passwords or codes for an account or from a known browser, or ${tries('network')} from a network, cause a pause of ${pauses[0]} seconds. Each further failure doubles it, up to ${Number(pauses.at(-1)) / 60} minutes.`,
  )
  expect(operations).toContain(
    `${tries('set-up')} wrong codes during the set-up of two-factor sign-in pause that.`,
  )
})

test('operations.md has the lifetimes of sessions', () => {
  expect(operations).toContain(
    `A session ends after ${sessionLimits.idle / hour} hours without use, and after ${sessionLimits.absolute / day} days in any case; of an assistant or a registrar after ${sessionLimits.desk.idle / hour} hour without use. With _Keep me signed in_ those of administrators and coordinators end after ${sessionLimits.kept.idle / day} and ${sessionLimits.kept.absolute / day} days; for others it changes nothing. The most powerful actions, the ${sessionLimits.records.most.others + 1}st different record in an hour, and of assistants and registrars the ${sessionLimits.records.most.desk + 1}th, ask for the password again when it was given more than ${sessionLimits.fresh / minute} minutes ago. A known browser stays known for ${knownDeviceLifetime / day} days. Where two-factor sign-in is required, an account without it has ${sessionLimits.secondFactor / day} days;`,
  )
})

test('operations.md has the numbers of the entries at /my', () => {
  const { network, code } = missLimits
  expect(operations).toContain(
    `${network.most} in ten minutes of a network, ten times as many of one in \`SCHOOL_NETWORKS\`, and ${code.most} an hour of a reference code. After ${code.inAll} in all since its last right entry`,
  )
  expect(operations).toContain(
    `A mailed code is valid for ${codeLimits.validMs / minute} minutes from sending, for ${codeLimits.tries} tries; a record gets ${codeLimits.aDay} a day, and 1 once half of the day's share is spent. A slip works for ${slipDays} days. A session of a student ends after ${studentSessionLimits.idle / minute} minutes without use, and after ${studentSessionLimits.absolute / hour} hours in any case.`,
  )
  expect([network.withinMs, code.withinMs]).toEqual([10 * minute, hour])
})

// The roles that the sentences about sessions name.
test('those who may keep their sessions, and those at a desk, are the ones that operations.md names', () => {
  expect(keptRoles).toEqual(['administrator', 'coordinator'])
  expect(deskRoles).toEqual(['assistant', 'registrar'])
})

const sources = readdirSync('src/server', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.test)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join('src/server', file), 'utf8') }))

test('operations.md names every connection that the product makes', () => {
  const opens =
    /new (pg\.(Client|Pool)|ImapFlow|SMTPConnection|Socket|WebSocket|EventSource)\(|createTransport\(|\b(net|tls|https?)\.(connect|request|get)\(|createConnection\(|(?<![.\w])fetch\(|['"](node:(https|http2|dgram|dns)|undici)/
  const [, connections] = /### Connections(.+?)###/.exec(operations) ?? []
  for (const word of ['HOST', 'DATABASE_URL', 'DATABASE_OWNER_URL', 'SMTP', 'IMAP', 'DNS']) {
    expect(connections).toContain(word)
  }
  const opening = sources.filter(({ text }) => opens.test(text)).map(({ file }) => file)
  expect(opening.length).toBeGreaterThan(4)
  expect(opening.filter((file) => !/^(database|features\/mail)\//.test(file))).toEqual([])
})

test('no page names a script, style, font or picture of another host', () => {
  const loads =
    /\bsrc(Set)?=["'{`]+https?:|url\(["']?https?:|@import ["']https?:|rel: '[^']*',[^}]*href: '(https?:)?\/\/|<link[^>]+href="(https?:)?\/\//
  const files = ['src/web', 'src/worker', 'public'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|css|html|svg|js)$/.test(file))
      .map((file) => join(folder, file)),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => loads.test(readFileSync(file, 'utf8')))).toEqual([])
})

test('operations.md names the list of audit actions, and every action that is written is in it', () => {
  expect(operations).toContain('src/shared/audit/audit-actions.json')
  const actions: object = JSON.parse(readFileSync('src/shared/audit/audit-actions.json', 'utf8'))
  const written = sources.flatMap(({ text }) =>
    [...text.matchAll(/\baction: '([\w-]+)'/g)].map(([, name]) => name),
  )
  expect(written.length).toBeGreaterThan(40)
  expect([...new Set(written)].filter((name) => !(String(name) in actions))).toEqual([])
})

test('operations.md gives the proxy current TLS, and strong ciphers alone', () => {
  const directive = (name: string) => new RegExp(`^\\s*${name} ([^;]+);`, 'm').exec(nginx)?.[1]?.split(/[ :]/)
  const [, nginx = ''] = /```nginx\n(.+?)```/s.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  expect(directive('ssl_protocols')).toEqual(['TLSv1.2', 'TLSv1.3'])
  expect(directive('ssl_ciphers')).toEqual(['ECDHE+AESGCM', 'ECDHE+CHACHA20'])
  expect(directive('ssl_prefer_server_ciphers')).toEqual(['on'])
})

test('security.md gives every field of a student one protection level', () => {
  const security = readFileSync('docs/security.md', 'utf8')
  const [, levels = ''] = /### Protection levels\n([\s\S]+?)\n## /.exec(security) ?? []
  const cells = levels.split('\n').flatMap(
    (line) =>
      line
        .split('|')[2]
        ?.split(',')
        .map((what) => what.trim()) ?? [],
  )
  const labels = Object.values(studentFields).map(({ label }) => label)
  expect(labels.filter((label) => cells.filter((cell) => cell === label).length !== 1)).toEqual([])
  // RA 10173, section 3 (l): age, marital status, religion, health, education, numbers that are given to one person.
  const sensitive = levels.split('\n').find((line) => line.startsWith('| sensitive (RA 10173')) ?? ''
  const ofLaw = [
    ...['Date of Birth', 'Civil Status', 'Religion', 'Height', 'Weight', 'Blood Type'],
    ...['Social Security Number', 'Student ID', 'Serial Number'],
    ...['Course', 'Degree Program', 'Year Level', 'Elementary School', 'High School', 'College'],
  ]
  expect(ofLaw.filter((label) => !sensitive.includes(` ${label},`))).toEqual([])
})
