import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { maskedName } from '#shared/certificates/certificates.ts'
import type {
  GraduatesToCertify,
  IssuedCertificates,
  ListedCertificate,
  PrintedCertificate,
  PrintedCertificates,
  VerifiedCertificate,
} from '#shared/certificates/certificates-response.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import type { OfficeClient } from './office-client.ts'
import type { Random } from './random.ts'
import { expectSame } from './same-lines.ts'
import { academicYear, graduatedIn, type Student } from './school.ts'

type Amid = <T>(action: () => Promise<T>) => Promise<T>

const issuedOn = '2027-06-15'
const verified = 200

/** The graduates of a component who have a serial number, 500 at once; of ROTC all: their numbers come later. */
export async function issueCertificates(
  client: OfficeClient,
  component: NstpComponent,
  amid: Amid,
): Promise<number> {
  const withoutSerial = component === 'ROTC'
  let issued = 0
  for (;;) {
    const path = `/certificates/graduates?academicYear=${academicYear}&component=${component}&withoutSerial=${withoutSerial}`
    const { items } = await client.read<GraduatesToCertify>(path)
    if (items.length === 0) return issued
    const body = {
      kind: 'completion',
      academicYear,
      issuedOn,
      withoutSerial,
      students: items.map(({ id }) => id),
    }
    const { batchId, count } = await amid(() => client.act<IssuedCertificates>('POST', '/certificates', body))
    expect(count).toBe(items.length)
    issued += count
    const printed = await client.act<PrintedCertificates>('POST', '/certificates/prints', { batchId })
    expect(printed.items).toHaveLength(items.length)
  }
}

export const isCertified = (student: Student) =>
  !student.isBlocked &&
  graduatedIn(student) !== null &&
  (student.serial !== '' || graduatedIn(student) === 'ROTC')

/** A page has 100. */
async function listCertificates(client: OfficeClient): Promise<ListedCertificate[]> {
  const items: ListedCertificate[] = []
  for (let page = 1; ; page++) {
    const answer = await client.read<{ items: ListedCertificate[]; total: number }>(
      `/certificates?page=${page}`,
    )
    items.push(...answer.items)
    if (items.length >= answer.total) return items
  }
}

/** Everybody who may have one has one, numbered without a gap. */
export async function agreeOnCertificates(
  client: OfficeClient,
  students: readonly Student[],
  revoked: ReadonlySet<string>,
): Promise<ListedCertificate[]> {
  const listed = await listCertificates(client)
  const shown = ({ studentId, component, lastName, firstName, serialNumber, state }: ListedCertificate) =>
    [studentId, component, lastName, firstName, serialNumber, state].join(' ')
  const wanted = students.filter(isCertified).map((student) => {
    const { id, fields, serial } = student
    const state = revoked.has(id) ? 'revoked' : 'issued'
    return [id, graduatedIn(student), fields.lastName, fields.firstName, serial, state].join(' ')
  })
  expectSame(listed.map(shown), wanted)
  expectSame(
    listed.map(({ number }) => number),
    listed.map((_one, index) => `NSTP-2027-${String(index + 1).padStart(6, '0')}`),
  )
  return listed
}

/** As whoever holds the paper: a sample of the codes, and codes that nobody has. */
export async function verifySome(
  client: OfficeClient,
  listed: readonly ListedCertificate[],
  { url, random }: { url: string; random: Random },
): Promise<number> {
  const ids = random
    .shuffled(listed.filter(({ state }) => state === 'issued'))
    .slice(0, verified)
    .map(({ id }) => id)
  const { items } = await client.act<PrintedCertificates>('POST', '/certificates/prints', { ids })
  for (const certificate of items) expect(await verify(url, certificate.code)).toEqual(genuine(certificate))
  expect((await verify(url, randomUUID().slice(0, 12))).state).toBe('unknown')
  return items.length
}

/** @returns the student whose certificate was revoked */
export async function revokeOne(
  client: OfficeClient,
  listed: readonly ListedCertificate[],
  url: string,
): Promise<string> {
  const [one] = listed
  if (!one?.studentId) throw new Error('there is no certificate')
  const { items } = await client.act<PrintedCertificates>('POST', '/certificates/prints', { ids: [one.id] })
  const code = items[0]?.code ?? ''
  expect((await verify(url, code)).state).toBe('genuine')
  await client.ensure(
    'revoke a certificate',
    async () => {
      const { items: found } = await client.read<{ items: ListedCertificate[] }>(
        `/students/${one.studentId}/certificates`,
      )
      return found.some(({ id, state }) => id === one.id && state === 'revoked') ? true : null
    },
    () => client.send('POST', `/certificates/${one.id}/revoke`, { reason: 'A wrong name' }),
  )
  expect((await verify(url, code)).state).toBe('revoked')
  return one.studentId
}

async function verify(url: string, code: string): Promise<VerifiedCertificate> {
  return await (await fetch(`${url}/api/verify/${code}`)).json()
}

const genuine = ({
  number,
  component,
  issuedOn: on,
  ...person
}: PrintedCertificate): VerifiedCertificate => ({
  state: 'genuine',
  ...{ number, component, academicYear, issuedOn: on },
  name: maskedName(person),
  school: 'Sample College of Cavite',
})

/** A coordinator of one component sees its certificates, and no other. */
export async function agreeOnOwnCertificates(
  clients: Readonly<Record<NstpComponent, OfficeClient>>,
  students: readonly Student[],
): Promise<void> {
  for (const component of nstpComponents) {
    const own = (await listCertificates(clients[component])).map(({ studentId }) => studentId)
    const wanted = students.filter((student) => isCertified(student) && graduatedIn(student) === component)
    expectSame(
      own.map(String),
      wanted.map(({ id }) => id),
    )
  }
}
