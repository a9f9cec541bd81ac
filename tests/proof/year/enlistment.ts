import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { RegistrationReceipt } from '#shared/registration/registration.ts'
import { isComponent } from '#shared/students/student-choices.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import type { StudentPage, StudentRecord } from '#shared/students/student-response.ts'
import type { Office } from './office.ts'
import { type OfficeClient, seen } from './office-client.ts'
import type { Random } from './random.ts'
import type { Student } from './school.ts'
import type { Waits } from './waits.ts'

/** Students who send the form at the same moment: each waits for up to three seconds whether the e-mail was sent. */
const atOnce = 96
/** In ms. What somebody of the office looks at before the next step. */
const lookingMs = 400

interface Enlistment {
  url: (index: number) => string
  waits: Waits
  random: Random
  office: Office
}

/** They send the form, with the same key until it is answered, and the office works meanwhile. */
export async function enlist(students: readonly Student[], { url, waits, random, office }: Enlistment) {
  // Names by encoders; only a coordinator changes components.
  const toCorrect: Student[] = []
  const toChange: Student[] = []
  const toMerge: { student: Student; second: RegistrationReceipt }[] = []
  const queue = random.shuffled(students)
  let isOver = false

  async function fillIn() {
    for (let student = queue.pop(); student; student = queue.pop()) {
      const receipt = await send(student.form)
      Object.assign(student, { id: receipt.id, reference: receipt.reference })
      if (student.again) {
        toMerge.push({ student, second: await send({ ...student.form, ...student.again }) })
      }
      if (student.correction?.nstpComponent) toChange.push(student)
      else if (student.correction) toCorrect.push(student)
    }
  }

  async function send(form: Student['form']): Promise<RegistrationReceipt> {
    const key = randomUUID()
    const body = JSON.stringify(form)
    return await waits.measure('enlisting', async () => {
      for (let place = random.int(3); ; place++) {
        const receipt = await enlistOnce(url(place), key, body)
        if (receipt) return receipt
        await sleep(random.int(500))
      }
    })
  }

  async function untilOver(work: () => Promise<void>) {
    while (!isOver) {
      await work()
      await sleep(random.int(lookingMs))
    }
  }

  /** Until nobody calls any more. */
  async function correctRecords(client: OfficeClient, waiting: Student[]) {
    for (;;) {
      const student = waiting.pop()
      if (student?.correction) await correct(client, student, student.correction)
      else if (isOver) return
      await sleep(random.int(lookingMs))
    }
  }

  async function readLists(client: OfficeClient) {
    await untilOver(async () => {
      const [page = 1, words] = random.oneOf([
        [1, ''],
        [2, ''],
        [1, 'reyes'],
        [1, 'san isidro'],
        [1, '2026-0000'],
      ])
      const found = await client.read<StudentPage>(
        `/students?page=${page}&search=${encodeURIComponent(words ?? '')}`,
      )
      expect(new Set(found.items.map(({ id }) => id)).size).toBe(found.items.length)
      await client.read('/dashboard')
    })
  }

  const { admin, director, registrar, privacyOfficer, coordinators, person } = office
  const forms = Promise.all(Array.from({ length: atOnce }, fillIn)).finally(() => {
    isOver = true
  })
  await Promise.all([
    forms,
    correctRecords(director, toChange),
    correctRecords(person('Encoder one'), toCorrect),
    correctRecords(person('Encoder two'), toCorrect),
    ...Object.values(coordinators).map(readLists),
    ...[admin, registrar, person('Registrar two')].map(readLists),
    ...[person('Encoder of ROTC'), person('Encoder of CWTS')].map(readLists),
    untilOver(async () => {
      await privacyOfficer.read('/audit')
      await director.read('/statistics')
    }),
    untilOver(async () => {
      await person('Encoder of CWTS').read('/registrations/code')
    }),
  ])
  for (const { student, second } of toMerge) await merge(director, student, second.id)
}

async function enlistOnce(url: string, key: string, body: string): Promise<RegistrationReceipt | null> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
  try {
    const response = await fetch(`${url}/api/registrations`, { method: 'POST', headers, body })
    if (response.status === 503) return null
    const text = await response.text()
    if (response.status !== 201) throw new RefusedForm(`${response.status} ${text}`)
    return JSON.parse(text)
  } catch (error) {
    // The process was killed while it answered.
    if (error instanceof RefusedForm) throw error
    return null
  }
}

class RefusedForm extends Error {}

/** Of one record, as it is now. */
export async function correct(
  client: OfficeClient,
  student: Student,
  change: Partial<Record<StudentField, string>>,
): Promise<void> {
  const component = change.nstpComponent
  if (component !== undefined && isComponent(component)) student.components.add(component)
  const read = () => client.read<StudentRecord>(`/students/${student.id}`)
  const isDone = (record: StudentRecord) =>
    Object.entries(change).every(([field, value]) =>
      Object.entries(record).some(([name, held]) => name === field && held === value),
    )
  await client.ensure(
    `correct ${student.number}`,
    async () => {
      const record = await read()
      return isDone(record) ? record : null
    },
    async () => client.send('PATCH', `/students/${student.id}`, change, seen(await read())),
  )
  Object.assign(student.fields, change)
}

/** The first record stays, with the name of the second. */
async function merge(client: OfficeClient, student: Student, secondId: string): Promise<void> {
  const read = (id: string) => client.read<StudentRecord>(`/students/${id}`)
  await client.ensure(
    `merge ${student.number}`,
    async () => ((await client.ask('GET', `/students/${secondId}`)).status === 404 ? true : null),
    async () => {
      const [keep, drop] = [await read(student.id), await read(secondId)]
      const versions = {
        keepId: keep.id,
        keepVersion: keep.version,
        dropId: drop.id,
        dropVersion: drop.version,
      }
      return await client.send('POST', '/students/merge', { ...versions, take: { lastName: 'drop' } })
    },
  )
  Object.assign(student.fields, student.again)
}
