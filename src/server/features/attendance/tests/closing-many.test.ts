import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildStoredStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer({ now: new Date('2026-12-14T09:00:00+08:00') })

const students = 20_000
const days = 5
const atOnce = 500

test('a day of 20,000 students is closed, and who is over is listed and counted', {
  tags: ['rest'],
  timeout: 300_000,
}, async () => {
  const { db } = own.database
  const { id: termId = '' } = await storeTerm(own.database)
  for (let first = 0; first < students; first += atOnce) {
    const rows = Array.from({ length: atOnce }, (_, index) =>
      buildStoredStudent({ nstpComponent: 'CWTS', lastName: `Name ${first + index}` }),
    )
    await db.insertInto('students').values(rows).execute()
  }
  await sql`
    insert into enrolments (id, term_id, student_id, component, level, status_on, entry)
    select gen_random_uuid(), ${termId}, id, 'CWTS', 1, '2026-08-03', 'new' from students`.execute(db)
  // Each was placed before the last day, and again after it.
  await sql`
    insert into enrolment_changes (id, enrolment_id, at, what, before, after, version)
    select gen_random_uuid(), enrolments.id, own.at, own.what, '{"sectionId": null, "section": ""}', '{}', own.version
    from enrolments, (values ('2026-08-03'::timestamptz, 'enrolled', 1), ('2026-09-01', 'section', 2),
      ('2026-12-13', 'section', 3)) own (at, what, version)`.execute(db)
  await sql`
    insert into training_days (id, term_id, component, level, held_on, hours)
    select gen_random_uuid(), ${termId}, 'CWTS', 1, date '2026-08-08' + 7 * week, 4
    from generate_series(0, ${days - 1}::int) week`.execute(db)
  // One of each hundred is called absent on every day but the last.
  const all = await db.selectFrom('trainingDays').select('id').orderBy('heldOn', 'desc').execute()
  const [day, ...others] = all
  if (!day) throw new Error('days were added')
  for (const { id } of others)
    await sql`
      insert into attendance (day_id, student_id, state, source, at)
      select ${id}, id, case when number % 100 = 0 then 'absent' else 'present' end, 'desk', now()
      from (select id, row_number() over (order by id) as number from students) own`.execute(db)
  await sql`analyze`.execute(db)
  const rule = {
    component: 'CWTS',
    absences: 3,
    percent: null,
    inRow: null,
    hoursMissed: null,
    lates: null,
    hours: 54,
  }
  expect((await own.admin.call('PUT', `/terms/${termId}/attendance-rule`, rule)).status).toBe(200)
  const standing = await own.admin.call(
    'GET',
    `/terms/${termId}/attendance?component=CWTS&level=1&standing=over`,
  )
  expect((await standing.json()).students).toHaveLength(students / 100)
  const _begun = performance.now()
  const counts = await own.admin.call('GET', '/attendance/standing')
  expect((await counts.json()).items).toMatchObject([{ component: 'CWTS', over: students / 100 }])
  const _counted = performance.now()
  const list = await own.admin.call('GET', `/terms/${termId}/enrolments?component=CWTS&level=1&standing=over`)
  expect((await list.json()).total).toBe(students / 100)
  const body = { sections: [{ sectionId: null, choice: 'absent' }] }
  const closed = await own.admin.call('POST', `/training-days/${day.id}/closing`, body, { 'If-Match': '"1"' })
  expect(await closed.json()).toMatchObject({ absent: students, day: { state: 'closed' } })
})
