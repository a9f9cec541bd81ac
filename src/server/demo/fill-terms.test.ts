// @module-tag rest
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/setup/test-database.ts'
import { fillAttendance } from './fill-attendance.ts'
import { fillPapers } from './fill-papers.ts'
import { fillParts } from './fill-parts.ts'
import { fillPeople } from './fill-people.ts'
import { fillTerms } from './fill-terms.ts'
import { seedDemo } from './fill-with-demo.ts'

test('the demo has a closed year with its papers, an open term with students in its sections, and a planned one', async () => {
  const database = await createTestDatabase()
  const now = new Date('2026-11-20T04:00:00Z')
  await seedDemo({
    database,
    count: 300,
    now,
    async content(tx, at) {
      const { closedTerm, openTerm } = await fillTerms(tx, at, '2026-2027')
      await fillPapers(tx, at, { academicYear: '2026-2027', closedTerm: closedTerm.id })
      await fillAttendance(tx, at, openTerm)
      await fillParts(tx, at, openTerm)
      await fillPeople(tx, at, openTerm)
    },
  })
  const { rows } = await sql<{ state: string; sections: number; students: number; most: number }>`
    select state, count(sections.id)::int as sections, coalesce(sum(held.students), 0)::int as students,
      coalesce(max(held.students - capacity), 0)::int as most
    from terms left join sections on sections.term_id = terms.id
      left join lateral (select count(*) as students from enrolments where section_id = sections.id) held on true
    group by state order by state`.execute(database.db)
  expect(rows).toEqual([
    { state: 'closed', sections: expect.any(Number), students: expect.any(Number), most: expect.any(Number) },
    { state: 'open', sections: 16, students: expect.any(Number), most: expect.any(Number) },
    { state: 'planned', sections: 0, students: 0, most: 0 },
  ])
  for (const { students, most } of rows.slice(0, 2)) {
    expect(students).toBeGreaterThan(50)
    expect(most).toBeLessThanOrEqual(0)
  }
  const { rows: official } = await sql<{ state: string; isOfficial: boolean }>`
    select distinct state, official_at is not null as is_official from enrolments join terms on terms.id = term_id
    where state = 'open' order by is_official`.execute(database.db)
  expect(official.map(({ isOfficial }) => isOfficial)).toEqual([false, true])
  const { rows: people } = await sql<{ role: string; sections: number }>`
    select role, count(section_id)::int as sections from admins
      left join admin_sections on admin_id = admins.id group by role order by role`.execute(database.db)
  expect(people.map(({ role, sections }) => `${role} ${sections}`)).toEqual([
    ...['assistant 0', 'coordinator 0', 'facilitator 2', 'privacy officer 0', 'registrar 0'],
  ])
  const { rows: outcomes } = await sql<{ outcome: string }>`
    select distinct outcome from enrolments join terms on terms.id = term_id where state = 'closed'
    order by outcome`.execute(database.db)
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(
    expect.arrayContaining(['failed', 'incomplete', 'passed']),
  )
  const { rows: days } = await sql<{ state: string; days: number; called: number }>`
    select training_days.state, count(distinct training_days.id)::int as days, count(student_id)::int as called
    from training_days left join attendance on day_id = training_days.id
    group by training_days.state order by training_days.state`.execute(database.db)
  // Two components; of ten Saturdays the last before today is still open, and four are to come.
  expect(days).toEqual([
    { state: 'closed', days: 10, called: expect.any(Number) },
    { state: 'planned', days: 10, called: expect.any(Number) },
  ])
  for (const { called } of days) expect(called).toBeGreaterThan(50)
  const { rows: marked } = await sql<{ scored: number; complete: number; entered: number }>`
    select (count(*) filter (where scores <> '{}'))::int as scored,
      (count(*) filter (where scores ? 'final'))::int as complete, (count(*) filter (where parts is not null))::int as entered
    from enrolments join terms on terms.id = term_id where state = 'open'`.execute(database.db)
  const [{ scored = 0, complete = 0, entered = 0 } = {}] = marked
  // A section is entered, the next one is proposed, and the others have no final examination yet.
  expect(entered).toBeGreaterThan(0)
  expect(complete).toBeGreaterThan(entered)
  expect(scored).toBeGreaterThan(complete)
  const { rows: papers } = await sql<{ layout: string; state: string; graduates: number; serials: number }>`
    select layout, state, (count(*) filter (where list = 'graduates'))::int as graduates,
      (count(*) filter (where serial <> ''))::int as serials
    from papers left join paper_rows on paper_id = papers.id group by papers.id order by state`.execute(
    database.db,
  )
  expect(papers).toEqual([
    {
      layout: 'ched-workbook',
      state: 'accepted',
      graduates: expect.any(Number),
      serials: expect.any(Number),
    },
    { layout: 'ched-workbook', state: 'draft', graduates: 0, serials: 0 },
    { layout: 'rotc-grades', state: 'frozen', graduates: 0, serials: 0 },
    { layout: 'osds-2b', state: 'returned', graduates: 0, serials: 0 },
    { layout: 'registrar-grades', state: 'sent', graduates: 0, serials: 0 },
  ])
  expect(papers[0]?.serials).toBeGreaterThan(10)
  expect(papers[0]?.graduates).toBeGreaterThan(papers[0]?.serials ?? 0)
  const { rows: certificates } = await sql<{ isRevoked: boolean; count: number }>`
    select revoked_at is not null as is_revoked, count(*)::int as count from certificates
    group by 1 order by 1`.execute(database.db)
  expect(certificates).toEqual([
    { isRevoked: false, count: expect.any(Number) },
    { isRevoked: true, count: 1 },
  ])
  await database.close()
})
