import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Slip } from '#shared/my/my-response.ts'
import type { MyPage } from '#shared/my/own-page-response.ts'
import type { OfficeRequest, OwnRequests } from '#shared/requests/requests-response.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { Office } from './office.ts'
import type { OfficeClient } from './office-client.ts'
import type { Random } from './random.ts'
import { plainStanding, type Training } from './saturdays.ts'
import { componentOf, enrolmentIn, type Student } from './school.ts'

interface Door {
  url: (index: number) => string
  random: Random
  office: Office
  training: Training
}

/**
 * Students enter by a slip, read their attendance and ask for another given name; their coordinators grant it or not.
 * @returns how many were granted
 */
export async function correctAtDoor(students: readonly Student[], door: Door): Promise<number> {
  const { office, random, training } = door
  let granted = 0
  for (const student of students) {
    const component = componentOf(student)
    const coordinator = office.coordinators[component]
    const visitor = await enter(door, coordinator, student)
    if (enrolmentIn(student, 1)) await agreeOnOwnPage(visitor, student, component, training)
    const firstName = `${student.fields.firstName} Paz`
    await askOnce(visitor, { kind: 'correction', changes: { firstName } })
    const isGranted = random.chance(0.7)
    await decide(coordinator, student, isGranted)
    const [answered] = (await visitor.read<OwnRequests>('/my/requests')).items
    expect(answered?.state).toBe(isGranted ? 'granted' : 'refused')
    if (!isGranted) continue
    student.fields.firstName = firstName
    granted += 1
  }
  return granted
}

type Visitor = Awaited<ReturnType<typeof enter>>

/** With a new slip, as long as none of the tries is answered. */
async function enter({ url, random }: Door, coordinator: OfficeClient, { id, reference }: Student) {
  let place = random.int(3)

  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    for (let tries = 0; tries < 600; tries++) {
      try {
        const answer = await fetch(`${url(place)}/api${path}`, {
          method,
          headers: { 'Content-Type': 'application/json', ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const text = await answer.text()
        if (answer.status !== 503) return { status: answer.status, text, headers: answer.headers }
      } catch {
        // The process was killed before it answered.
      }
      place += 1
      await sleep(300)
    }
    throw new Error(`${method} ${path}: no answer`)
  }

  const { items } = await coordinator.act<{ items: Slip[] }>('POST', '/students/slips', { ids: [id] })
  const entered = await send('POST', '/my/session/slip', { reference, code: items[0]?.code })
  expect(entered.status, entered.text).toBe(201)
  const cookie = entered.headers
    .getSetCookie()
    .map((text) => text.split(';')[0] ?? '')
    .join('; ')
  const withCookie = { Cookie: cookie }
  return {
    send: (method: string, path: string, body?: unknown) => send(method, path, body, withCookie),
    async read<Body>(path: string): Promise<Body> {
      const answer = await send('GET', path, undefined, withCookie)
      expect(answer.status, answer.text).toBe(200)
      return JSON.parse(answer.text)
    },
  }
}

/** The attendance that the student reads is what was called. */
async function agreeOnOwnPage(
  visitor: Visitor,
  student: Student,
  component: NstpComponent,
  { days }: Training,
): Promise<void> {
  const { attendance } = await visitor.read<MyPage>('/my')
  if (!attendance) throw new Error(`${student.number} has no attendance`)
  const { left, ...standing } = attendance.standing
  expect(standing).toEqual(plainStanding(student, component, days))
  expect(attendance.days).toHaveLength(standing.days)
}

/** Asking again for the same is refused, so who got no answer looks first. */
async function askOnce(visitor: Visitor, asked: { kind: string; changes: Record<string, string> }) {
  const { items } = await visitor.read<OwnRequests>('/my/requests')
  expect(items).toEqual([])
  const answer = await visitor.send('POST', '/my/requests', asked)
  const isThere = (await visitor.read<OwnRequests>('/my/requests')).items.length === 1
  expect([answer.status, isThere]).toEqual([answer.status === 201 ? 201 : 409, true])
}

async function decide(
  client: OfficeClient,
  { reference, number }: Student,
  isGranted: boolean,
): Promise<void> {
  const { items } = await client.read<{ items: { id: string; reference: string }[] }>(
    `/requests?search=${reference}`,
  )
  const own = items.find((one) => one.reference === reference)
  if (!own) throw new Error(`${number} asked for nothing`)
  const read = () => client.read<OfficeRequest>(`/requests/${own.id}`)
  await client.ensure(
    `decide for ${number}`,
    async () => ((await read()).state === 'open' ? null : true),
    async () => {
      const { version, recordVersion } = await read()
      const decision = isGranted
        ? { accept: 'all', answer: '' }
        : { accept: [], answer: 'Please bring your birth certificate.' }
      return await client.send(
        'POST',
        `/requests/${own.id}/decide`,
        { version, recordVersion, ...decision },
        {
          'Idempotency-Key': randomUUID(),
        },
      )
    },
  )
}
