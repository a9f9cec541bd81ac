import { v7 as createId } from 'uuid'
import { needsChoice } from '#shared/attendance/training-days.ts'
import { proposedScheme } from '#shared/terms/mark-scheme.ts'
import { defaultMarking } from '#shared/terms/marking.ts'
import type { SheetRow } from '#tests/factories/spreadsheet.ts'
import { storeGraduate } from '#tests/factories/stored-graduate.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { basisOf } from '../papers.ts'
import { signInAs } from '../people.ts'
import { walkImport, workOf } from './records.ts'
import { type Act, component, day, type Reads, type Walk } from './walk.ts'

const plain = { unit: '', capacity: 40, takes: 'all', courses: [], adviser: '', meets: '' }

export async function walkTerms(walk: Walk, reads: Reads) {
  const { act, server, academicYear, mark } = walk
  const { database } = server
  const start = academicYear.slice(0, 4)
  const term = (semester: number, state: string) =>
    act('POST /terms', {
      body: {
        academicYear,
        semester,
        startsOn: `${start}-0${semester * 2}-03`,
        endsOn: `${start}-0${semester * 2 + 1}-19`,
        state,
        copyFrom: null,
      },
    })
  const { id } = await term(1, 'open')
  const next = await term(2, 'planned')
  const third = await term(3, 'planned')
  await act('DELETE /terms/{id}', { id: third.id, version: third.version })
  reads.id['/terms/'] = id
  const store = (index: number) =>
    storeStudent(database, {
      academicYear,
      nstpComponent: component,
      lastName: `Placed${mark}${'abcd'[index]}`,
      dateOfBirth: `2007-02-1${index}`,
      studentId: `${mark}-T${index}`,
      email: `${createId()}@student.example`,
    })
  const students: string[] = []
  for (let index = 0; index < 4; index++) students.push((await store(index)).id)
  const ofClass = { component, level: 1 }
  const { items: sections } = await act('POST /terms/{id}/sections', {
    id,
    body: {
      ...ofClass,
      sections: [
        { ...plain, name: 'A' },
        { ...plain, name: 'B' },
      ],
    },
  })
  const [a, b] = sections
  await act('PATCH /sections/{id}', { id: a?.id, version: a?.version, body: { ...plain, name: 'Alpha' } })
  await act('DELETE /sections/{id}', { id: b?.id, version: b?.version })
  const enrol = { level: 1, entry: 'new', sectionId: null, on: `${start}-02-10` }
  await act('POST /terms/{id}/enrolments', { id, body: { ...enrol, studentIds: students.slice(0, 1) } })
  const placement = { ...ofClass, order: 'name', fill: 'in turn', withoutSections: false }
  const { basis } = await act('POST /terms/{id}/placements/preview', { id, body: placement })
  const placed = await act('POST /terms/{id}/placements', { id, body: { ...placement, basis } })
  await act('POST /enrolment-batches/{id}/undo', { id: placed.batchId ?? placed.id })
  await act('POST /terms/{id}/enrolments', { id, body: { ...enrol, studentIds: students.slice(1) } })
  const enrolled = async () =>
    (await act('GET /terms/{id}/enrolments', { id, query: { component, level: '1' } })).items
  const idOf = async (index: number) => {
    const found = await database.db
      .selectFrom('enrolments')
      .select(['id', 'version'])
      .where('studentId', '=', students[index] ?? '')
      .where('termId', '=', id)
      .executeTakeFirstOrThrow()
    return found
  }
  await enrolled()
  const [one, two, three] = [await idOf(0), await idOf(1), await idOf(2)]
  const on = `${start}-02-12`
  await act('POST /enrolments/section', {
    body: { ids: [one.id, two.id], sectionId: a?.id, reason: 'Asked for it' },
  })
  await act('POST /enrolments/drop', { body: { ids: [three.id], on, reason: 'Left' } })
  const moved = await idOf(3)
  await act('POST /enrolments/{id}/move', {
    id: moved.id,
    version: moved.version,
    body: { component: 'LTS', level: 1, sectionId: null, on, reason: 'Asked for it' },
  })
  const marked = await idOf(0)
  await act('PUT /terms/{id}/marks', {
    id,
    body: { items: [{ id: marked.id, version: marked.version, mark: '1.25' }], reason: '' },
  })
  const { parts, ...scheme } = proposedScheme('ROTC', defaultMarking)
  await act('PUT /terms/{id}/mark-scheme', { id, body: { component, scheme: { ...scheme, parts } } })
  await act('PUT /terms/{id}/scores', {
    id,
    body: { items: [{ id: marked.id, part: 'final', seen: null, score: 90 }] },
  })
  await walkAttendance(act, { id, start, student: students[0] ?? '' }, reads)
  await walkRoll(walk, { sectionId: a?.id ?? '', student: students[1] ?? '' }, reads)
  const listed = (change: SheetRow): SheetRow[] => [
    { 'Student ID': `${mark}-T1`, 'Last Name': `Placed${mark}b`, 'First Name': 'Juan Miguel', ...change },
  ]
  for (const [purpose, change] of [
    ['registrar', { Component: component }],
    ['marks', { Mark: '1.50' }],
  ] as const) {
    const list = await walkImport(act, listed(change), { purpose, term: id }, {})
    await list.run()
    await list.undo()
  }
  const { version } = (await act('GET /terms')).items.find((found) => found.id === id) ?? {}
  const dates = { startsOn: `${start}-02-03`, endsOn: `${start}-03-19` }
  await act('PATCH /terms/{id}', { id, version, body: { ...dates, state: 'closed' } })
  const opened = (await act('GET /terms')).items.find((found) => found.id === next.id)
  await act('PATCH /terms/{id}', {
    id: next.id,
    version: opened?.version,
    body: { startsOn: `${start}-04-03`, endsOn: `${start}-05-19`, state: 'open' },
  })
  const choices = {
    passed: 'next',
    'no mark': 'next',
    incomplete: 'leave',
    failed: 'again',
    dropped: 'leave',
    done: 'leave',
  }
  const continuing = await act('POST /terms/{id}/continuations/preview', { id: next.id, body: { choices } })
  await act('POST /terms/{id}/continuations', { id: next.id, body: { choices, basis: continuing.basis } })
  const credit = {
    kind: 'credit',
    level: 1,
    ground: 'transferee',
    school: 'City College',
    evidence: 'Transcript',
  }
  await act('POST /students/{id}/credits', { id: students[3], body: credit })
  const stored = await database.db
    .selectFrom('credits')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await act('POST /credits/{id}/revoke', { id: stored.id, body: { reason: 'A mistake' } })
  const earlier = { students: [students[3]], academicYear: '2014-2015', evidence: 'List of graduates' }
  const credited = await act('POST /credits', { body: earlier })
  await act('POST /credits/batches/{id}/undo', { id: credited.id })
  const now = (await act('GET /terms')).items.find((found) => found.id === next.id)
  await act('PATCH /terms/{id}', {
    id: next.id,
    version: now?.version,
    body: { startsOn: `${start}-04-03`, endsOn: `${start}-05-19`, state: 'closed' },
  })
  for (const path of ['earlier-records', 'unplaced', 'marks'])
    reads.query[`/terms/{id}/${path}`] = { component, level: '1' }
}

/** Training days of a term, and who was there. */
async function walkAttendance(act: Act, term: { id: string; start: string; student: string }, reads: Reads) {
  const { id, start, student } = term
  const about = { title: '', startsAt: '07:30', hours: 4 }
  const on = [`${start}-02-14`, `${start}-02-21`, `${start}-02-28`]
  const plan = { component, level: 1, sectionIds: [], on, ...about, replacesId: null }
  await act('POST /terms/{id}/training-days', { id, body: plan })
  const days = async () => (await act('GET /terms/{id}/training-days', { id, query: { component } })).items
  const [first, second, third] = await days()
  await act('PATCH /training-days/{id}', {
    id: second?.id,
    version: second?.version,
    body: { ...about, heldOn: `${start}-02-22`, title: 'Orientation', isCancelled: true },
  })
  await act('DELETE /training-days/{id}', { id: third?.id, version: third?.version })
  const call = { id: createId(), dayId: first?.id, studentId: student, state: 'excused', ground: 'medical' }
  await act('POST /terms/{id}/attendance', { id, body: { calls: [call] } })
  await act('GET /training-days/{id}/students', { id: first?.id })
  await act('GET /attendance/standing')
  const preview = await act('GET /training-days/{id}/closing', { id: first?.id })
  const uncalled = preview.sections.filter((section) => needsChoice(section, false))
  await act('POST /training-days/{id}/closing', {
    id: first?.id,
    version: first?.version,
    body: { sections: uncalled.map(({ sectionId }) => ({ sectionId, choice: 'absent' })) },
  })
  const [closed] = await days()
  await act('POST /training-days/{id}/reopening', {
    id: closed?.id,
    version: closed?.version,
    body: { reason: 'Another list came' },
  })
  const rule = { absences: 3, percent: 20, inRow: 3, hoursMissed: null, lates: null, hours: 60 }
  await act('PUT /terms/{id}/attendance-rule', { id, body: { component, ...rule } })
  reads.id['/training-days/'] = first?.id ?? ''
  reads.query['/terms/{id}/training-days'] = { component }
  reads.query['/terms/{id}/attendance'] = { component, level: '1' }
}

/** A facilitator calls a roll. */
async function walkRoll(
  { actAs, server }: Walk,
  { sectionId, student }: { sectionId: string; student: string },
  reads: Reads,
) {
  const { id, cookie } = await signInAs(server, { role: 'facilitator', components: [] })
  const { db } = server.database
  await db.insertInto('adminSections').values({ adminId: id, sectionId }).execute()
  await db.updateTable('admins').set({ seesPhoneNumbers: true }).where('id', '=', id).execute()
  const own = actAs(cookie)
  await own('GET /roll')
  const [day] = (await own('GET /roll/{id}', { id: sectionId })).days
  const call = { id: createId(), dayId: day?.id, studentId: student, state: 'late', minutes: 5, seen: null }
  await own('POST /roll/{id}', { id: sectionId, body: { account: id, calls: [call] } })
  await own('GET /roll/students/{id}', { id: student })
  reads.id['/roll/students/'] = student
  reads.id['/roll/'] = sectionId
}

/** Papers, serial numbers and certificates. */
export async function walkGraduates({ act, office, server, academicYear, mark }: Walk, reads: Reads) {
  const { database } = server
  const term = await database.db
    .selectFrom('terms')
    .select('id')
    .where('academicYear', '=', academicYear)
    .orderBy('semester')
    .executeTakeFirstOrThrow()
  const graduate = (index: number, change: object = {}) =>
    storeGraduate(database, term.id, {
      academicYear,
      lastName: `Grad${mark}${'abc'[index]}`,
      serialNumber: '',
      studentId: `${mark}-G${index}`,
      dateOfBirth: `2007-01-1${index}`,
      email: `${createId()}@student.example`,
      ...change,
    })
  const first = await graduate(0, { middleName: '0', contactNumber: '09171234567' })
  await graduate(1)
  const options = { listsRotc: false, ofGraduates: true, level: 1 }
  const about = { title: '', components: [component], options, dueOn: null, note: '' }
  const paper = await act('POST /papers', {
    body: { layout: 'ched-workbook', academicYear, termId: null, ...about },
  })
  const { id } = paper
  reads.id['/papers/'] = id
  reads.query['/papers/{id}/rows'] = { list: 'graduates' }
  const versionOf = async () => (await act('GET /papers/{id}', { id })).version
  await act('PATCH /papers/{id}', {
    id,
    version: await versionOf(),
    body: { ...about, note: 'For the region' },
  })
  await act('POST /papers/{id}/check', { id })
  await act('PUT /papers/{id}/answers', {
    id,
    body: { code: 'K12', subjects: [first.id], answer: 'meant', reason: 'As in the birth certificate' },
  })
  await act('PUT /papers/{id}/answers', {
    id,
    body: { code: 'K12', subjects: [first.id], answer: null, reason: '' },
  })
  await act('POST /papers/{id}/fixes', { id, body: { code: 'K12', people: null } })
  const freeze = async () =>
    act('POST /papers/{id}/freeze', {
      id,
      version: await versionOf(),
      body: { basis: await basisOf(server, office, id) },
    })
  await freeze()
  await act('POST /papers/{id}/unfreeze', { id, version: await versionOf() })
  await freeze()
  await act('GET /papers/{id}/file.xlsx', { id })
  await act('POST /papers/{id}/state', { id, version: await versionOf(), body: { state: 'sent', on: day } })
  const number = mark.charCodeAt(0) * 100 + mark.charCodeAt(1)
  const serial = (index: number) =>
    `C-03-${String(number * 10 + index).padStart(6, '0')}-${academicYear.slice(7)}`
  const range = await act('POST /papers/{id}/range', {
    id,
    body: { component, first: serial(0), last: serial(1), reference: 'RO3-114', receivedOn: day },
  })
  await workOf(act, range.id)
  await act('POST /imports/{id}/run', { id: range.id, body: { reason: '' } })
  await workOf(act, range.id)
  const returned = { state: 'returned', on: day, note: 'A name' }
  await act('POST /papers/{id}/state', { id, version: await versionOf(), body: returned })
  const copy = await act('POST /papers/{id}/copy', { id })
  await act('DELETE /papers/{id}', { id: copy.id, version: copy.version })

  const issued = {
    kind: 'completion',
    students: [first.id],
    academicYear,
    issuedOn: day,
    signatories: [{ name: 'Maria Reyes', title: 'Director' }],
  }
  await act('POST /certificates', { body: issued })
  reads.query['/certificates/graduates'] = { academicYear }
  const certificate = async () =>
    await database.db
      .selectFrom('certificates')
      .select(['id', 'code'])
      .where('studentId', '=', first.id)
      .orderBy('issuedAt', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  const one = await certificate()
  reads.id['/verify/'] = one.code
  await act('POST /certificates/prints', { body: { ids: [one.id] } })
  await act('POST /certificates/{id}/reissue', { id: one.id, body: { issuedOn: day } })
  await act('POST /certificates/{id}/revoke', { id: (await certificate()).id, body: { reason: 'A mistake' } })
}
