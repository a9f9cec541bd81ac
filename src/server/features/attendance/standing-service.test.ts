import readWorkbook from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { rulePresets } from '#shared/attendance/standing.ts'
import { openDesk, startAttendedTerm } from '#tests/setup/attended-term.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer({ now: new Date('2026-09-10T09:00:00+08:00') })
const { termId, alpha, bravo, addDays } = startAttendedTerm(own)
const { enrol, call } = openDesk(own, { termId, alpha })

type Caller = Pick<typeof own.admin, 'call'>

async function listed(query: string, by: Caller = own.admin) {
  const answer = await by.call('GET', `/terms/${termId}/enrolments?${query}`)
  expect(answer.status).toBe(200)
  const { items, total } = await answer.json()
  return [total, ...items.map(({ student }: { student: { lastName: string } }) => student.lastName)]
}

test('who is near or over is a filter of the term’s students, a count, and a column of class lists', async () => {
  const days = await addDays(['2026-08-08', '2026-08-15', '2026-08-22'])
  const students = {
    Abad: [await enrol('Abad'), 'AAA'],
    Bello: [await enrol('Bello', { sectionId: bravo }), 'AAP'],
    Cruz: [await enrol('Cruz'), 'APP'],
    Dizon: [await enrol('Dizon', {}, { restriction: 'blocked' }), ''],
  } as const
  const states = { A: 'absent', P: 'present' } as const
  await call(
    Object.values(students).flatMap(([student, letters]) =>
      [...letters].flatMap((letter, index) => {
        const day = days[index]
        return day ? [{ day, student, state: letter === 'A' ? states.A : states.P }] : []
      }),
    ),
  )
  const rule = { component: 'CWTS', ...rulePresets[1]?.rule }
  expect((await own.admin.call('PUT', `/terms/${termId}/attendance-rule`, rule)).status).toBe(200)

  expect(await listed('component=CWTS&level=1&standing=over')).toEqual([1, 'Abad'])
  expect(await listed('component=CWTS&level=1&standing=near')).toEqual([1, 'Bello'])
  expect(await listed('standing=near')).toEqual([1, 'Bello'])
  expect(await listed(`standing=near&section=${alpha}`)).toEqual([0])
  expect(await listed('component=ROTC&standing=near')).toEqual([0])
  expect(await listed('component=CWTS&level=1')).toEqual([4, 'Abad', 'Bello', 'Cruz', 'Dizon'])

  const counts = async (by: Caller = own.admin) =>
    (await (await by.call('GET', '/attendance/standing')).json()).items
  expect(await counts()).toEqual([{ termId, component: 'CWTS', level: 1, near: 1, over: 1 }])
  const rotc = await createStaffClient(own.server, { role: 'coordinator', components: ['ROTC'] })
  expect(await counts(rotc)).toEqual([])
  const registrar = await createStaffClient(own.server, { role: 'registrar', components: [] })
  expect((await registrar.call('GET', `/terms/${termId}/enrolments?standing=over`)).status).toBe(403)

  const file = await own.admin.call('GET', `/terms/${termId}/class-lists.xlsx?component=CWTS&level=1`)
  const sheets = await readWorkbook(Buffer.from(await file.arrayBuffer()), { trim: false })
  const columnOf = (rows: readonly (readonly unknown[])[]) => {
    const column = rows[0]?.indexOf('Absences') ?? -1
    return rows.slice(1).map((row) => [row[1], row[column] ?? ''])
  }
  expect(sheets.map(({ data }) => columnOf(data))).toEqual([
    [
      ['Abad', 'over'],
      ['Cruz', ''],
    ],
    [['Bello', 'near']],
  ])

  await own.database.db.updateTable('terms').set({ state: 'closed' }).execute()
  expect(await counts()).toEqual([])
})
