import fc from 'fast-check'
import { v7 as createId } from 'uuid'
import { expect, test } from 'vitest'
import type { PaperCounts } from '#shared/papers/papers-response.ts'
import { nstpComponents, sexes } from '#shared/students/student-choices.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { chedPaper, contentOf, makePaper } from '#tests/setup/papers.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer()

const outcomes = ['none', 'passed', 'failed', 'incomplete'] as const

const student = fc.record({
  component: fc.constantFrom(...nstpComponents),
  sex: fc.constantFrom(...sexes),
  hasNumber: fc.boolean(),
  // In the first term: taken here, moved from another component, dropped, or credited to a transferee.
  first: fc.constantFrom('taken', 'moved', 'dropped', 'credited'),
  firstOutcome: fc.constantFrom(...outcomes),
  isInSecond: fc.boolean(),
  secondOutcome: fc.constantFrom(...outcomes),
})

type Student = typeof student extends fc.Arbitrary<infer One> ? One : never

const terms = { first: createId(), second: createId() }

async function store({ component, sex, hasNumber, ...one }: Student): Promise<void> {
  const serialNumber = hasNumber ? `C-03-${createId()}`.slice(0, 40) : ''
  const { id: studentId } = await storeStudent(own.database, { nstpComponent: component, sex, serialNumber })
  const enrol = (change: Partial<Parameters<typeof storeEnrolment>[1]>) =>
    storeEnrolment(own.database, { termId: terms.first, studentId, component, ...change })
  if (one.first === 'credited') {
    const ground = { ground: 'transferee' as const, evidence: 'Transcript', decidedAt: new Date() }
    const credit = { id: createId(), studentId, kind: 'credit' as const, level: 1 as const, ...ground }
    await own.database.db.insertInto('credits').values(credit).execute()
  }
  if (one.first === 'dropped') await enrol({ status: 'dropped' })
  if (one.first === 'moved') await enrol({ component: component === 'LTS' ? 'CWTS' : 'LTS', status: 'moved' })
  if (one.first === 'taken' || one.first === 'moved') await enrol({ outcome: one.firstOutcome })
  if (one.isInSecond) await enrol({ termId: terms.second, level: 2, outcome: one.secondOutcome })
}

/** By what is known of each student alone. */
function expectedCounts(students: readonly Student[]): PaperCounts {
  const isEnrolled = ({ first, isInSecond }: Student) => first === 'taken' || first === 'moved' || isInSecond
  const hasFirst = ({ first, firstOutcome }: Student) =>
    first === 'credited' || (first !== 'dropped' && firstOutcome === 'passed')
  const isGraduate = (one: Student) =>
    hasFirst(one) && one.isInSecond && one.secondOutcome === 'passed' && !one.hasNumber
  const count = (wanted: (one: Student) => boolean) => {
    const of = (component: string) => {
      const cell = (sex: string) =>
        students.filter((one) => one.component === component && one.sex === sex && wanted(one)).length
      return { Male: cell('Male'), Female: cell('Female') }
    }
    return { ROTC: of('ROTC'), CWTS: of('CWTS'), LTS: of('LTS') }
  }
  return { enrolment: count(isEnrolled), graduates: count(isGraduate) }
}

test('the summary counts whom the lists have, and ROTC where it is not listed', {
  timeout: 120_000,
}, async () => {
  const { db } = own.database
  const school = fc.array(student, { minLength: 30, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(school, fc.boolean(), async (students, listsRotc) => {
      for (const table of ['papers', 'students', 'enrolments', 'terms'] as const) {
        await db.deleteFrom(table).execute()
      }
      await storeTerm(own.database, { id: terms.first, state: 'closed' })
      await storeTerm(own.database, { id: terms.second, semester: 2 })
      for (const one of students) await store(one)
      const options = { ...chedPaper.options, listsRotc }
      const { id } = await makePaper(own.admin, { options })
      const content = await contentOf(own.server, own.admin, id)
      const counts = expectedCounts(students)
      expect(content.counts).toEqual(counts)
      const listed = nstpComponents
        .filter((component) => listsRotc || component !== 'ROTC')
        .flatMap((component) => [counts.enrolment[component], counts.graduates[component]])
      const rows = content.rows.filter(({ list }) => list !== 'unlisted')
      expect(rows.length).toBe(listed.reduce((sum, { Male, Female }) => sum + Male + Female, 0))
    }),
    { numRuns: 10 },
  )
})
