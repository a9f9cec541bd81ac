import { expect, test } from 'vitest'
import { mySentences } from '#shared/my/my.ts'
import type { Slip } from '#shared/my/my-response.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { createStudentVisitor } from '#tests/setup/student-visitor.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer({ now: new Date('2026-11-20T02:00:00Z') })

async function slipsOf(...ids: string[]): Promise<Slip[]> {
  const answer = await own.admin.call('POST', '/students/slips', { ids })
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()])
  return (await answer.json()).items
}

test('slips are made for a section, and each opens its own record', async () => {
  const ana = await storeStudent(own.database, { lastName: 'Abad', firstName: 'Ana', middleName: '' })
  const ben = await storeStudent(own.database, { lastName: 'Bautista', restriction: 'blocked' })
  const { id: termId } = await storeTerm(own.database)
  const { id: sectionId } = await storeSection(own.database, { termId, unit: 'Alpha', name: 'Platoon 3' })
  await storeEnrolment(own.database, { termId, studentId: ana.id, sectionId })
  const [ofBen, ofAna] = await slipsOf(ben.id, ana.id)
  expect(ofAna).toEqual({
    ...{ id: ana.id, reference: ana.reference, name: 'Abad, Ana', section: 'Alpha, Platoon 3' },
    code: expect.stringMatching(/^[2-9A-HJ-NP-TW-Z]{12}$/),
  })
  expect(ofBen).toMatchObject({ section: '' })
  const enter = (reference: string, code = '') =>
    createStudentVisitor(own.server).call('POST', '/my/session/slip', { reference, code })
  expect((await enter(ana.reference, ofAna?.code)).status).toBe(201)
  expect((await enter(ben.reference, ofAna?.code)).status).toBe(422)
  const stored = await own.database.db.selectFrom('studentKeys').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(ofAna?.code)
  expect(await own.trail.entries()).toMatchObject([{ action: 'slips-made', affected: 2 }])
})

test('a slip names the section of the latest semester, in whatever order they were stored', async () => {
  const sections: { termId: string; sectionId: string }[] = []
  for (const semester of [1, 2, 3] as const) {
    const year = { academicYear: '2025-2026', semester, state: 'closed' } as const
    const { id: termId } = await storeTerm(own.database, year)
    const { id: sectionId } = await storeSection(own.database, { termId, name: `Platoon ${semester}` })
    sections.push({ termId, sectionId })
  }
  for (const stored of [sections, sections.toReversed()]) {
    const { id } = await storeStudent(own.database)
    for (const place of stored) await storeEnrolment(own.database, { ...place, studentId: id })
    expect(await slipsOf(id)).toMatchObject([{ section: 'Platoon 3' }])
  }
})

test('a slip opens its record for 180 days', async () => {
  const ana = await storeStudent(own.database)
  const [slip] = await slipsOf(ana.id)
  const enter = () =>
    createStudentVisitor(own.server).call('POST', '/my/session/slip', {
      reference: ana.reference,
      code: slip?.code,
    })
  const age = (ms: number) =>
    own.database.db
      .updateTable('studentKeys')
      .set({ slipMadeAt: new Date(Date.parse('2026-11-20T02:00:00Z') - ms) })
      .execute()
  await age(180 * 86_400_000)
  expect((await enter()).status).toBe(201)
  await age(180 * 86_400_000 + 1)
  const refused = await enter()
  expect([refused.status, (await refused.json()).detail]).toEqual([422, mySentences.wrongSlip])
})

test('after the first step a slip opens the record without its reference', async () => {
  const ana = await storeStudent(own.database, { dateOfBirth: '2007-03-14' })
  const student = createStudentVisitor(own.server)
  const openBySlip = async (code = '') => (await student.call('POST', '/my/session/slip', { code })).status
  expect(await openBySlip('ABCD2345WXYZ')).toBe(401)
  await student.enter({ reference: ana.reference, dateOfBirth: '2007-03-14' })
  const [slip] = await slipsOf(ana.id)
  expect(await openBySlip(slip?.code)).toBe(201)
  expect(await student.step()).toBe('second')
})

test('a new slip ends the old one, and the pages that it opened', async () => {
  const ana = await storeStudent(own.database)
  const student = createStudentVisitor(own.server)
  const [first] = await slipsOf(ana.id)
  const enter = (code = '') => student.call('POST', '/my/session/slip', { reference: ana.reference, code })
  await enter(first?.code)
  expect(await student.step()).toBe('second')
  const [second] = await slipsOf(ana.id)
  expect(await student.step()).toBe('none')
  const refused = await enter(first?.code)
  expect([refused.status, (await refused.json()).detail]).toEqual([422, mySentences.wrongSlip])
  expect((await enter(second?.code)).status).toBe(201)
})

test('a new slip ends the sessions that the old one opens at the same moment', async () => {
  const ana = await storeStudent(own.database)
  const [first] = await slipsOf(ana.id)
  const students = Array.from({ length: 30 }, () => createStudentVisitor(own.server))
  const [answers] = await Promise.all([
    Promise.all(
      students.map((student) =>
        student.call('POST', '/my/session/slip', { reference: ana.reference, code: first?.code }),
      ),
    ),
    slipsOf(ana.id),
  ])
  for (const { status } of answers) expect([201, 422]).toContain(status)
  expect(await own.database.db.selectFrom('studentSessions').selectAll().execute()).toEqual([])
})

test('slips are for students in scope, and only who takes whole records out makes them', async () => {
  const [ana, ben] = [
    await storeStudent(own.database, { nstpComponent: 'CWTS' }),
    await storeStudent(own.database, { nstpComponent: 'ROTC' }),
  ]
  const scoped = await createStaffClient(own.server, { role: 'coordinator', components: ['CWTS'] })
  expect((await scoped.call('POST', '/students/slips', { ids: [ana.id] })).status).toBe(200)
  expect(await scoped.refusal('POST', '/students/slips', { ids: [ana.id, ben.id] })).toMatchObject({
    status: 409,
  })
  const desk = await createStaffClient(own.server, { role: 'assistant', components: [] })
  expect(await desk.refusal('POST', '/students/slips', { ids: [ana.id] })).toMatchObject({ status: 403 })
})
