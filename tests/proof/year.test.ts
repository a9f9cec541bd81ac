import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '#server/database/pool.ts'
import { startEmbeddedServer } from '#server/database/server.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { levels } from '#shared/terms/terms.ts'
import { until } from '#tests/faults/load.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { readAllRows } from '#tests/setup/all-rows.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { runRestore } from '#tests/setup/operator-commands.ts'
import { startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'
import {
  agreeOnLists,
  agreeOnMail,
  agreeOnOwnTerms,
  agreeOnRecords,
  agreeOnStatistics,
} from './year/agreement.ts'
import {
  agreeOnCertificates,
  agreeOnOwnCertificates,
  isCertified,
  issueCertificates,
  revokeOne,
  verifySome,
} from './year/certificates.ts'
import { correctAtDoor } from './year/door.ts'
import { correct, enlist } from './year/enlistment.ts'
import { applyRegistrarList, importMarks } from './year/lists.ts'
import { openOffice } from './year/office.ts'
import type { OfficeClient } from './year/office-client.ts'
import {
  agreeOnSerials,
  agreeOnWorkbook,
  applySerials,
  copyReturned,
  freeze,
  makePaper,
  mendPaper,
  setState,
} from './year/papers.ts'
import { type Portal, secretKey, startPortal } from './year/portal.ts'
import { createRandom } from './year/random.ts'
import { expectSame } from './year/same-lines.ts'
import {
  addSaturdays,
  agreeOnCalls,
  agreeOnStandings,
  engageFacilitators,
  holdSaturday,
  saturdays,
} from './year/saturdays.ts'
import {
  academicYear,
  componentOf,
  createStudents,
  enrolmentIn,
  graduatedIn,
  outcomeOf,
  type Student,
} from './year/school.ts'
import {
  agreeOnTerm,
  closeTerm,
  completeMarks,
  continueAll,
  creditedOf,
  drop,
  enrol,
  enterMarks,
  moveTo,
  openTerm,
  placeAll,
} from './year/terms.ts'
import { createWaits } from './year/waits.ts'

// Fewer while the test itself is changed. The same seed gives the same school, not the same moments.
const size = Number(process.env.YEAR_STUDENTS ?? 5_000)
const seed = Number(process.env.YEAR_SEED ?? Date.now() % 1_000_000)
const kills = process.env.YEAR_KILLS !== 'off'
const passphrase = 'the backup of a whole school year'

const random = createRandom(seed)
const say = (text: string) => process.stdout.write(`${text}\n`)

let portal: Portal
let sink: MailSink

beforeAll(async () => {
  sink = await startMailSink()
  portal = await startPortal(createRandom(seed + 1), kills)
}, 300_000)
afterAll(async () => {
  await portal?.remove()
  await sink.close()
})

/** Of those who aren't gone. */
const some = (students: readonly Student[], share: number) =>
  students.filter((student) => !student.isDeleted && random.chance(share))

const marks = ['1.00', '1.25', '1.50', '1.75', '2.00', '2.25', '2.50', '2.75', '3.00']

/** Of a hundred: 4 incomplete, 2 failed, 1 dropped, 1 without a mark. */
function markOf(): string {
  const place = random.int(100)
  if (place < 4) return 'INC'
  if (place < 6) return '5.00'
  if (place < 7) return 'DRP'
  return place < 8 ? '' : random.oneOf(marks)
}

test('a school’s year, from the first enlistment to the last certificate', {
  timeout: 7_200_000,
}, async () => {
  say(`The year of ${size} students, seed ${seed}${kills ? '' : ', without kills'}`)
  const waits = createWaits()
  const { phase } = waits
  const { amid, during, url } = portal
  const students = createStudents(size, random)
  const [late, early] = [students.filter(({ isLate }) => isLate), students.filter(({ isLate }) => !isLate)]
  const office = await phase('twelve people get their accounts', () =>
    openOffice({ url, waits, students }, sink.account),
  )
  const { director, registrar, privacyOfficer, coordinators, admin } = office
  const readers = [director, registrar, ...Object.values(coordinators)]
  // Apart: how often these moments are drawn isn't the same each time.
  const school = { url, waits, random: createRandom(seed + 2), office }
  const inComponent = (component: string) => (student: Student) => componentOf(student) === component
  const agreeOnStudents = (isArchived = false) => agreeOnRecords(portal.query, students, { isArchived })

  await phase(`${early.length} students enlist`, () => during(() => enlist(early, school)))
  await phase('everybody’s record is right', async () => {
    await agreeOnRecords(portal.query, early, { isArchived: false })
    await agreeOnLists(readers, students, { isArchived: false })
    await agreeOnStatistics(director, students)
  })

  const first = await phase('the first term is opened', () => openTerm(director, 1))
  await phase('one record is erased, transferees are credited', async () => {
    const [gone] = early.filter(({ isCredited, again }) => !isCredited && again === null)
    if (gone) await erase(privacyOfficer, gone)
    for (const student of students.filter(({ isCredited }) => isCredited)) await credit(registrar, student)
  })
  const inFirst = (among: readonly Student[]) =>
    among.filter(({ isCredited, isDeleted }) => !isCredited && !isDeleted)
  await phase('three coordinators place their students', async () => {
    enrol(inFirst(early), 1, 1)
    for (const component of nstpComponents) {
      await placeAll(coordinators[component], first, { component, level: 1 }, { amid })
    }
    await agreeOnTerm(director, first, students)
  })
  await phase('late ones enlist, some change, some drop', async () => {
    await enlist(late, school)
    enrol(inFirst(late), 1, 1)
    for (const student of some(inFirst(early), 0.01)) {
      await moveTo(
        director,
        first,
        student,
        random.oneOf(nstpComponents.filter((one) => one !== componentOf(student))),
      )
    }
    for (const component of nstpComponents) {
      await placeAll(coordinators[component], first, { component, level: 1 }, { amid })
    }
    await agreeOnTerm(director, first, students)
    for (const component of nstpComponents) {
      const dropped = some(inFirst(students).filter(inComponent(component)), 0.02)
      await amid(() => drop(coordinators[component], dropped, first))
    }
    await agreeOnTerm(director, first, students)
  })
  say(
    await phase('the registrar’s list is compared and applied', () =>
      applyRegistrarList(director, first, students, { random, amid }),
    ),
  )
  const training = await phase('fifteen Saturdays are added, one of each component is cancelled', () =>
    addSaturdays(coordinators, first, random),
  )
  const facilitators = await phase('five student leaders get their accounts', () =>
    engageFacilitators(office, first),
  )
  await phase('they call the rolls of fifteen Saturdays, and the office closes them', () =>
    during(async () => {
      for (let index = 0; index < saturdays; index++) {
        await holdSaturday(
          index,
          { facilitators, coordinators },
          { ...school, term: first, training, students },
        )
      }
    }),
  )
  await phase('attendance and standings are right', async () => {
    await agreeOnCalls(portal.query, training)
    const overs = await agreeOnStandings(coordinators, first, training, students)
    expect(overs).toBeGreaterThan(0)
  })
  await phase('students at the door correct their names', async () => {
    // Those whose names the paper's check doesn't find.
    const asking = some(inFirst(students), 0.02).filter(
      ({ proposals }) => Object.keys(proposals).length === 0,
    )
    const granted = await during(() => correctAtDoor(asking, { ...school, training }))
    expect(granted).toBeGreaterThan(0)
    await agreeOnStudents()
  })
  await phase('NSTP 1 is marked and closed', async () => {
    await during(() =>
      Promise.all([
        ...(['CWTS', 'LTS'] as const).map((component) =>
          enterMarks(coordinators[component], first, { component, level: 1 }, { students, markFor: markOf }),
        ),
        importMarks(coordinators.ROTC, first, students.filter(inComponent('ROTC')), {
          markFor: markOf,
          amid: (action) => action(),
        }),
      ]),
    )
    await agreeOnTerm(director, first, students)
    await closeTerm(director, first)
  })

  const second = await phase('the second term is opened', () => openTerm(director, 2))
  await phase('everybody continues', async () => {
    await continueAll(director, second, students, amid)
    enrol(creditedOf(students), 2, 2)
    for (const component of nstpComponents) {
      for (const level of levels) {
        const ids = students.filter((student) => enrolmentIn(student, 2)?.level === level).map(({ id }) => id)
        await placeAll(coordinators[component], second, { component, level }, { amid, ids })
      }
    }
    await agreeOnTerm(director, second, students)
  })
  await phase('some change, incomplete marks are completed', async () => {
    const enrolled = students.filter((student) => enrolmentIn(student, 2))
    for (const student of some(enrolled, 0.005)) {
      const { nstpComponent } = student.fields
      await moveTo(director, second, student, nstpComponent === 'CWTS' ? 'LTS' : 'CWTS')
    }
    for (const component of nstpComponents) {
      for (const level of levels) {
        const ids = enrolled.filter((student) => enrolmentIn(student, 2)?.level === level).map(({ id }) => id)
        await placeAll(coordinators[component], second, { component, level }, { amid, ids })
      }
    }
    const incomplete = enrolled.filter(
      (student) => outcomeOf(enrolmentIn(student, 1)?.mark ?? '') === 'incomplete',
    )
    await completeMarks(director, first, some(incomplete, 0.8), '2.50')
    await agreeOnTerm(director, first, students)
    await agreeOnTerm(director, second, students)
  })
  await phase('NSTP 2 is marked and closed', async () => {
    await during(() =>
      Promise.all([
        ...(['CWTS', 'LTS'] as const).flatMap((component) =>
          levels.map((level) =>
            enterMarks(coordinators[component], second, { component, level }, { students, markFor: markOf }),
          ),
        ),
        importMarks(coordinators.ROTC, second, students.filter(inComponent('ROTC')), {
          markFor: markOf,
          amid: (action) => action(),
        }),
      ]),
    )
    await agreeOnTerm(director, second, students)
    await closeTerm(director, second)
    for (const term of [first, second]) await agreeOnOwnTerms(coordinators, term, students)
  })

  await phase('two graduates ask not to be passed on', async () => {
    const graduates = students.filter((student) => ['CWTS', 'LTS'].includes(graduatedIn(student) ?? ''))
    // The check of a paper proposes nothing for a blocked record.
    const right = graduates.filter(({ proposals }) => Object.keys(proposals).length === 0)
    for (const student of right.slice(0, 2)) await block(privacyOfficer, student)
  })
  const paper = await phase('the list for CHED is made, checked and mended', async () => {
    const made = await makePaper(director)
    await mendPaper(director, made, students)
    return made
  })
  const cells = await phase('it is frozen, compared, sent and returned', async () => {
    await freeze(director, paper, amid)
    const count = await agreeOnWorkbook(director, paper, students)
    // The product's clock is that of the machine, and no day may be in its future.
    await setState(director, paper, 'sent', '2026-11-20')
    await setState(director, paper, 'returned', '2026-11-23')
    return count
  })
  const corrected = await phase('it is corrected, sent and accepted', async () => {
    const [wrong] = students.filter((student) => graduatedIn(student) === 'CWTS' && !student.isBlocked)
    if (wrong) await correct(director, wrong, { middleName: 'Quintos' })
    const copy = await copyReturned(director, paper)
    await freeze(director, copy, amid)
    await agreeOnWorkbook(director, copy, students)
    await setState(director, copy, 'sent', '2026-11-24')
    return await setState(director, copy, 'accepted', '2026-11-25')
  })
  const serials = await phase('serial numbers come back, first dragged, then right', async () => {
    const given = await applySerials(director, corrected, students, amid)
    await agreeOnSerials(director, corrected, students)
    return given
  })
  const listed = await phase('certificates are issued', async () => {
    const issued = await Promise.all(
      nstpComponents.map((component, index) =>
        issueCertificates(coordinators[component], component, index === 0 ? amid : (action) => action()),
      ),
    )
    expect(issued.reduce((sum, count) => sum + count, 0)).toBe(students.filter(isCertified).length)
    await agreeOnOwnCertificates(coordinators, students)
    return await agreeOnCertificates(director, students, new Set())
  })
  const revoked = await phase('their codes are verified, one is revoked', async () => {
    await verifySome(director, listed, { url: url(0), random })
    const gone = new Set([await revokeOne(director, listed, url(1))])
    await agreeOnCertificates(director, students, gone)
    return gone
  })
  await phase('the year is archived', async () => {
    await agreeOnStudents()
    const { ids } = await director.read<{ ids: string[] }>(`/students/ids?academicYear=${academicYear}`)
    expect(new Set(ids)).toEqual(new Set(students.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id)))
    await amid(() => director.act('POST', '/students/archive', { ids }))
    await agreeOnStudents(true)
    await agreeOnLists(readers, students, { isArchived: true })
  })
  const mail = await phase('the e-mail is counted', async () => {
    const waiting = `select from mail_messages where kind = 'welcome' and state not in ('sent', 'failed', 'unknown')`
    await until('all e-mail is sent', async () => (await portal.query(waiting)).length === 0, 120_000)
    const gone = students.filter(({ isDeleted }) => isDeleted).length
    const enlistments = size + students.filter(({ again }) => again !== null).length - gone
    return await agreeOnMail(portal.query, sink.messages, {
      enlistments,
      kills: portal.killed.processes + portal.killed.database,
    })
  })
  await phase('a backup is restored on another machine', () =>
    restoreElsewhere(admin, async (restoredUrl, query) => {
      await agreeOnRecords(query, students, { isArchived: true })
      const people = await office.at(restoredUrl, readers)
      await agreeOnLists(people, students, { isArchived: true })
      const [restoredDirector] = people
      if (!restoredDirector) throw new Error('the director is gone')
      for (const term of [first, second]) await agreeOnTerm(restoredDirector, term, students)
      await agreeOnWorkbook(restoredDirector, corrected, students)
      await agreeOnSerials(restoredDirector, corrected, students)
      await agreeOnCertificates(restoredDirector, students, revoked)
    }),
  )
  expect(office.leaks).toEqual([])
  say(
    [
      '',
      `${size} students, seed ${seed}: ${portal.killed.processes} processes and the database ${portal.killed.database} times killed`,
      `${cells} cells, ${serials} serial numbers, ${listed.length} certificates; e-mail: ${mail}`,
      ...waits.lines(),
    ].join('\n'),
  )
})

async function erase(client: OfficeClient, student: Student): Promise<void> {
  await client.ensure(
    `erase ${student.number}`,
    async () => ((await client.ask('GET', `/students/${student.id}`)).status === 404 ? true : null),
    () => client.send('DELETE', `/students/${student.id}`),
  )
  student.isDeleted = true
}

async function credit(client: OfficeClient, student: Student): Promise<void> {
  const body = {
    ...{ kind: 'credit', level: 1, component: 'CWTS', school: 'Another College', academicYear: '2025-2026' },
    ...{ mark: '1.75', ground: 'transferee', evidence: 'Transcript of records' },
  }
  await client.ensure(
    `credit ${student.number}`,
    async () => {
      const { credits } = await client.read<{ credits: unknown[] }>(`/students/${student.id}/program`)
      return credits.length > 0 ? true : null
    },
    () => client.send('POST', `/students/${student.id}/credits`, body),
  )
}

async function block(client: OfficeClient, student: Student): Promise<void> {
  const answer = await client.ask('PUT', `/students/${student.id}/restriction`, { restriction: 'blocked' })
  expect(answer.status).toBe(200)
  student.isBlocked = true
}

/** What others are told of the restored portal is as before; so is every row. */
async function restoreElsewhere(
  admin: OfficeClient,
  compare: (url: string, query: typeof portal.query) => Promise<void>,
): Promise<void> {
  const folder = makeTemporaryFolder()
  const file = join(folder.path, 'year.nstp')
  const backup = await admin.ask('POST', '/backup', { passphrase })
  expect(backup.status).toBe(200)
  writeFileSync(file, backup.bytes)
  const env = { DATA_DIR: join(folder.path, 'data'), SECRET_KEY: secretKey }
  const restored = await runRestore([file, '--yes'], { env: { ...env, BACKUP_PASSPHRASE: passphrase } })
  expect(restored).toMatchObject({ code: 0, errors: '' })
  const log = pino({ level: 'silent' })
  const server = await startEmbeddedServer({ dataDir: env.DATA_DIR, log })
  const [before, after] = await Promise.all(
    [portal.connection, server.connection].map(async (connection) => {
      const database = createDatabase({ connection, log })
      const rows = await readAllRows(database)
      await database.close()
      return rows
    }),
  )
  await server.stop()
  // The backup itself is noted after it was made, and so is the restore.
  const noted = ['audit_events', 'audit_chain', 'audit_students', 'audit_values', 'last_backup']
  const isNoNotice = (row: string) => !row.includes('Security notice: ')
  for (const [table, rows] of Object.entries(before ?? {})) {
    if (noted.includes(table)) continue
    expectSame((after?.[table] ?? []).filter(isNoNotice), rows.filter(isNoNotice), table)
  }
  const product = await startProduct({ ...env, RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }, [], {
    keepsFirstPassword: true,
  })
  await compare(product.url, (text) => queryDatabase(product.dataDir, text))
  await product.stop()
  folder.remove()
}
