import { describe, expect, test } from 'vitest'
import type { ClosingPreview, TrainingDay } from '#shared/attendance/attendance-response.ts'
import { trainingDayMessages } from '#shared/attendance/training-days.ts'
import { storeSection } from '#tests/factories/stored-term.ts'
import { openDesk, startAttendedTerm } from '#tests/setup/attended-term.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer({ now: new Date('2026-09-10T09:00:00+08:00') })
const { termId, alpha, bravo, addDays } = startAttendedTerm(own)
const { enrol, edit, dayNow, call, grid, marked, close, changeSection, lastEntry } = openDesk(own, {
  termId,
  alpha,
})

describe('closing', () => {
  test('asks for the sections without a call, and writes absent for who was there to be called', async () => {
    const [day] = await addDays(['2026-08-08'])
    const [abad] = [await enrol('Abad'), await enrol('Cruz')]
    await enrol('Late', { statusOn: '2026-08-20' })
    await enrol('Blocked', {}, { restriction: 'blocked' })
    await enrol('Ocampo', { sectionId: bravo })
    await enrol('Perez', { sectionId: null })
    await call([{ day, student: abad, state: 'present' }])
    const preview: ClosingPreview = await (
      await own.admin.call('GET', `/training-days/${day.id}/closing`)
    ).json()
    expect(preview.sections).toEqual([
      { sectionId: alpha, label: 'Alpha', students: 2, called: 1, absent: 1, later: 1 },
      { sectionId: bravo, label: 'Bravo', students: 1, called: 0, absent: 1, later: 0 },
      { sectionId: null, label: 'Without a section', students: 1, called: 0, absent: 1, later: 0 },
    ])
    expect(await (await close(day)).json()).toMatchObject({
      code: 'conflict',
      detail: trainingDayMessages.stale,
    })
    const open = { sectionId: bravo, choice: 'open' }
    const closed = await (await close(day, [open, { sectionId: null, choice: 'absent' }])).json()
    expect(closed).toMatchObject({ absent: 2, day: { state: 'planned', version: 2 } })
    expect(await lastEntry()).toMatchObject({ action: 'training-day-closed', affected: 2 })
    expect(await marked()).toEqual(['Abad P', 'Cruz A', 'Late -'])
    expect(await marked('section=none')).toEqual(['Perez A'])
    expect(await marked(`section=${bravo}`)).toEqual(['Ocampo -'])

    const rest = await (await close(closed.day, [{ sectionId: bravo, choice: 'cancelled' }])).json()
    expect(rest).toMatchObject({ absent: 0, day: { state: 'closed', cancelledSectionIds: [bravo] } })
    expect((await grid(`section=${bravo}`)).days).toEqual([])
    // A closed day still takes a call.
    await call([{ day, student: abad, state: 'late' }])
    expect(await marked()).toEqual(['Abad L', 'Cruz A', 'Late -'])
  })

  test('is taken back by reopening with a reason: what was called stays', async () => {
    const [day] = await addDays(['2026-08-08'])
    const [abad, cruz] = [await enrol('Abad'), await enrol('Cruz')]
    await enrol('Dizon')
    await call([{ day, student: abad, state: 'present' }])
    await close(day)
    await call([{ day, student: cruz, state: 'excused', ground: 'family' }])
    expect(await marked()).toEqual(['Abad P', 'Cruz E', 'Dizon A'])
    const path = `/training-days/${day.id}/reopening`
    expect(await own.admin.refusal('POST', path, { reason: '' }, { 'If-Match': '"2"' })).toMatchObject({
      status: 422,
    })
    expect((await own.admin.call('POST', path, { reason: 'Wrong day' }, { 'If-Match': '"2"' })).status).toBe(
      200,
    )
    expect(await marked()).toEqual(['Abad P', 'Cruz E', 'Dizon -'])
    expect(await dayNow(day.id)).toMatchObject({ state: 'planned', reopenReason: 'Wrong day', present: 1 })
    expect(await own.admin.refusal('POST', path, { reason: 'Again' }, { 'If-Match': '"3"' })).toMatchObject({
      detail: trainingDayMessages.notClosed,
    })
  })

  test('marks absent again whose call is taken back, without sections that are open or cancelled', async () => {
    const [day] = await addDays(['2026-08-08'])
    const [abad, cruz] = [await enrol('Abad'), await enrol('Cruz')]
    const ocampo = await enrol('Ocampo', { sectionId: bravo })
    const perez = await enrol('Perez', { sectionId: null })
    const late = await enrol('Zara', { statusOn: '2026-08-20' })
    await call([{ day, student: abad, state: 'present' }])
    const choices = [bravo, null].map((sectionId) => ({ sectionId, choice: 'open' }))
    const closed: { day: TrainingDay } = await (await close(day, choices)).json()
    expect(closed.day.state).toBe('planned')
    const called = [abad, ocampo, perez, late]
    await call(called.map((student) => ({ day, student, state: 'present' })))
    await call([...called, cruz].map((student) => ({ day, student, state: null })))
    expect(await marked('section=all')).toEqual(['Abad A', 'Cruz A', 'Ocampo -', 'Perez -', 'Zara -'])

    const rest = [bravo, null].map((sectionId) => ({
      sectionId,
      choice: sectionId === null ? 'absent' : 'cancelled',
    }))
    const again = await close(closed.day, rest, true)
    expect(await again.json()).toMatchObject({ absent: 2, day: { state: 'closed' } })
    await call([perez, late].map((student) => ({ day, student, state: 'late' })))
    await call([perez, late].map((student) => ({ day, student, state: null })))
    expect(await marked('section=all')).toEqual(['Abad A', 'Cruz A', 'Ocampo -', 'Perez A', 'Zara A'])
    const path = `/training-days/${day.id}/reopening`
    const { version } = await dayNow(day.id)
    await own.admin.call('POST', path, { reason: 'Wrong day' }, { 'If-Match': `"${version}"` })
    expect(await marked('section=all')).toEqual(['Abad -', 'Cruz -', 'Ocampo -', 'Perez -', 'Zara -'])
  })

  test('waits for the day, and counts who dropped or moved after it', async () => {
    const [future] = await addDays(['2026-11-07'])
    expect(await (await close(future)).json()).toMatchObject({ detail: trainingDayMessages.isFuture })
    const [day] = await addDays(['2026-08-08'])
    const students = [await enrol('Abad'), await enrol('Before'), await enrol('After')]
    const [abad = '', before = '', after = ''] = students
    const ids = await own.database.db.selectFrom('enrolments').select(['id', 'studentId']).execute()
    const drop = (student: string, on: string) =>
      own.admin.call('POST', '/enrolments/drop', {
        ids: ids.filter(({ studentId }) => studentId === student).map(({ id }) => id),
        ...{ on, reason: '' },
      })
    expect((await drop(before, '2026-08-05')).status).toBe(200)
    expect((await drop(after, '2026-08-12')).status).toBe(200)
    await call([{ day, student: abad, state: 'present' }])
    expect(await (await close(day)).json()).toMatchObject({ absent: 1 })
    const absent = own.database.db.selectFrom('attendance').select('studentId').where('state', '=', 'absent')
    expect(await absent.execute()).toEqual([{ studentId: after }])
  })

  test('takes the section in which the student was on that day', async () => {
    const [ofAlpha] = await addDays(['2026-08-08'], { sectionIds: [alpha] })
    const [ofBravo] = await addDays(['2026-08-08'], { sectionIds: [bravo], startsAt: '13:00' })
    const [today] = await addDays(['2026-09-10'], { sectionIds: [bravo] })
    const [abad, cruz] = [await enrol('Abad'), await enrol('Cruz')]
    await enrol('Ocampo', { sectionId: bravo })
    await changeSection(abad, bravo)
    const undone = await changeSection(cruz, bravo)
    expect((await own.admin.call('POST', `/enrolment-batches/${undone}/undo`)).status).toBe(200)
    const choices = (...ids: (string | null)[]) =>
      ids.map((sectionId) => ({ sectionId, choice: 'absent' as const }))
    expect(await (await close(ofAlpha, choices(alpha))).json()).toMatchObject({ absent: 2 })
    expect(await (await close(ofBravo, choices(bravo))).json()).toMatchObject({ absent: 1 })
    // A change on the day itself holds on it.
    expect(await (await close(today, choices(bravo))).json()).toMatchObject({ absent: 2 })
    expect(await marked('section=all')).toEqual(['Abad A-A', 'Cruz A--', 'Ocampo -AA'])
  })

  test('asks for a section whose only calls are of who left it since, also a deleted one', async () => {
    const [day] = await addDays(['2026-08-08'])
    const charlie = await storeSection(own.database, { termId, name: 'Charlie', position: 2 })
    const abad = await enrol('Abad', { sectionId: bravo })
    await enrol('Cruz', { sectionId: bravo })
    const dizon = await enrol('Dizon', { sectionId: charlie.id ?? '' })
    for (const student of [abad, dizon]) await changeSection(student, alpha)
    expect((await own.admin.call('DELETE', `/sections/${charlie.id}`)).status).toBe(204)
    await call([{ day, student: abad, state: 'present' }])
    const preview: ClosingPreview = await (
      await own.admin.call('GET', `/training-days/${day.id}/closing`)
    ).json()
    expect(preview.sections).toEqual([
      { sectionId: bravo, label: 'Bravo', students: 2, called: 0, absent: 1, later: 0 },
      { sectionId: charlie.id, label: 'Charlie', students: 1, called: 0, absent: 1, later: 0 },
    ])
    const closed = await close(day, [
      { sectionId: bravo, choice: 'absent' },
      { sectionId: charlie.id, choice: 'cancelled' },
    ])
    expect(await closed.json()).toMatchObject({ absent: 1, day: { cancelledSectionIds: [charlie.id] } })
    expect(await marked('section=all')).toEqual(['Abad P', 'Cruz A', 'Dizon -'])
  })

  test('of a make-up day marks nobody absent', async () => {
    const [day] = await addDays(['2026-08-08'])
    const [makeUp] = await addDays(['2026-09-05'], { replacesId: day.id })
    const abad = await enrol('Abad')
    await enrol('Cruz')
    await enrol('Ocampo', { sectionId: bravo })
    await call([{ day: makeUp, student: abad, state: 'present' }])
    const preview = await own.admin.call('GET', `/training-days/${makeUp.id}/closing`)
    expect(await preview.json()).toEqual({ sections: [] })
    expect(await (await close(makeUp, [], true)).json()).toMatchObject({
      absent: 0,
      day: { state: 'closed' },
    })
    expect(await marked('section=all')).toEqual(['Abad -P', 'Cruz --', 'Ocampo --'])
  })

  test('keeps the date: a closed day is reopened before it is moved', async () => {
    const [day] = await addDays(['2026-08-08'])
    await enrol('Abad')
    const choice = [{ sectionId: alpha, choice: 'absent' }]
    const closed: { day: TrainingDay } = await (await close(day, choice)).json()
    const moved = await edit(closed.day, { heldOn: '2026-08-09' })
    expect(await moved.json()).toMatchObject({
      errors: [{ path: 'heldOn', message: trainingDayMessages.isClosed }],
    })
    expect((await edit(closed.day, { title: 'Orientation' })).status).toBe(200)
  })

  test('writes absent for who was placed after the day only where it is asked to', async () => {
    const [first, second] = await addDays(['2026-08-08', '2026-08-15'])
    if (!second) throw new Error('two were added')
    await enrol('Abad', { statusOn: '2026-09-01' })
    expect(await (await close(first)).json()).toMatchObject({ absent: 0, day: { state: 'closed' } })
    expect(await (await close(second, [], true)).json()).toMatchObject({ detail: trainingDayMessages.stale })
    const choice = [{ sectionId: alpha, choice: 'absent' }]
    expect(await (await close(second, choice, true)).json()).toMatchObject({ absent: 1 })
    expect(await marked()).toEqual(['Abad -A'])
  })
})
