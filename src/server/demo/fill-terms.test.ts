import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/setup/test-database.ts'
import { fillTerms } from './fill-terms.ts'
import { seedDemo } from './fill-with-demo.ts'

test('the demo has a closed term with marks, an open one with students in its sections, and a planned one', async () => {
  const database = await createTestDatabase()
  const now = new Date('2026-11-20T04:00:00Z')
  await seedDemo({
    database,
    count: 300,
    now,
    content: (tx, at) => fillTerms(tx, at, '2026-2027'),
  })
  const { rows } = await sql<{ state: string; sections: number; students: number; most: number }>`
    select state, count(sections.id)::int as sections, coalesce(sum(held.students), 0)::int as students,
      coalesce(max(held.students - capacity), 0)::int as most
    from terms left join sections on sections.term_id = terms.id
      left join lateral (select count(*) as students from enrolments where section_id = sections.id) held on true
    group by state order by state`.execute(database.db)
  expect(rows).toEqual([
    { state: 'closed', sections: 16, students: expect.any(Number), most: expect.any(Number) },
    { state: 'open', sections: 16, students: expect.any(Number), most: expect.any(Number) },
    { state: 'planned', sections: 0, students: 0, most: 0 },
  ])
  for (const { students, most } of rows.slice(0, 2)) {
    expect(students).toBeGreaterThan(50)
    expect(most).toBeLessThanOrEqual(0)
  }
  const { rows: outcomes } = await sql<{ outcome: string }>`
    select distinct outcome from enrolments join terms on terms.id = term_id where state = 'closed'
    order by outcome`.execute(database.db)
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(
    expect.arrayContaining(['failed', 'incomplete', 'passed']),
  )
  await database.close()
})
