import { sql } from 'kysely'
import readWorkbook from 'read-excel-file/node'
import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyStudents, storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let admin: ReturnType<typeof createAdminClient>

beforeAll(async () => {
  server = await startTestServer({ now: new Date('2026-11-20T02:00:00Z') })
  admin = createAdminClient(server, await server.signIn())
})
afterAll(() => server.close())

let stored = 10

const store = (overrides: Parameters<typeof storeStudent>[1]) =>
  storeStudent(server.database, {
    middleName: '',
    // A random one could contain what is searched.
    reference: `NSTP-WWWW-WW${stored++}`,
    studentId: '',
    course: 'SOHM',
    email: 'nobody@school.example',
    contactNumber: '0900 000 0000',
    emergencyContactNumber: '0900 000 0000',
    guardianContactNumber: '',
    ...overrides,
  })

const find = async (search: string, more: Record<string, string> = {}) =>
  (await admin.call('GET', `/students?${new URLSearchParams({ search, ...more })}`)).json()

async function namesFor(search: string, more: Record<string, string> = {}): Promise<string[]> {
  const { items, total } = await find(search, more)
  const names: string[] = items.map(({ lastName }: { lastName: string }) => lastName)
  expect(total).toBe(names.length)
  return names.sort()
}

describe('who is found', () => {
  const trisha = 'Yñiguez'
  const al = 'D’Souza-Cruz'
  const maria = 'Santos'
  const odd = '100%_real\\'
  const bea = 'Co'
  const rosa = 'Dela Rosa'
  const ana = 'Sta. Ana'
  const allNames = [odd, bea, al, maria, trisha, rosa, ana].sort()

  beforeAll(async () => {
    await server.database.db.deleteFrom('students').execute()
    await store({
      lastName: trisha,
      firstName: 'Trisha Mae',
      middleName: 'De la Peña',
      course: 'SOICT',
      reference: 'NSTP-7KQ4-MXTD',
      studentId: '2023-00451',
      email: 'T.Iguez_07@gmail.com',
      contactNumber: '+63 917 555 0142',
      emergencyContactNumber: '(0928) 555-0199',
      guardianContactNumber: '639395550177',
    })
    await store({ lastName: al, firstName: 'Al', course: 'SOTE', contactNumber: '09185550143' })
    await store({ lastName: maria, firstName: 'Mari\u0301a Luz', course: 'SOBM', studentId: 'TUP-63-0917' })
    await store({ lastName: odd, firstName: '"Odd"' })
    await store({ lastName: bea, firstName: 'Bea 😀', email: 'bea@mail.com' })
    await store({ lastName: rosa, firstName: 'Ma. Fe', extensionName: 'Junior' })
    await store({ lastName: ana, firstName: 'Rey' })
  })

  test.each([
    ['nothing', '', allNames],
    ['part of a last name', 'anto', [maria]],
    ['a first name, in any case', 'TRISHA', [trisha]],
    ['an emoji', '😀', [bea]],
    ['an emoji that no name has', 'Bea 🎉', []],
    ['a middle name', 'peña', [trisha]],
    ['a course', 'soict', [trisha]],
    ['ñ as it is', 'yñiguez', [trisha]],
    ['ñ as n', 'yniguez', [trisha]],
    ['ñ as n with a combining tilde, in capitals', 'YN\u0303IGUEZ', [trisha]],
    ['an accent that was typed otherwise', 'maría', [rosa, maria]],
    ['an accent left out', 'maria', [rosa, maria]],
    ['an accent too many', 'sántös', [maria]],
    ['first and last name', 'Trisha Yñiguez', [trisha]],
    ['names as the list prints them', 'Yñiguez, Trisha Mae De la Peña', [trisha]],
    ['names without the space behind the comma', 'yniguez,trisha', [trisha]],
    ['a name and a course', 'soict trisha', [trisha]],
    ['a middle initial', 'Trisha D. Yñiguez', [trisha]],
    ['parts of names', 'tris yni', [trisha]],
    ['words apart that the record has together', 'd souza cruz', [al]],
    ['words together that the record has apart', 'delapeña', [trisha]],
    ['a word that is not there, among others', 'trisha santos', []],
    ['no word across two fields', 'maetrisha', []],
    ['a straight apostrophe and a hyphen', "d'souza-", [al]],
    ['a curly apostrophe', 'd’souza', [al]],
    ['no apostrophe', 'dsouza cruz', [al]],
    ['two letters', 'ñi', [rosa, trisha]],
    ['two letters that no address of .com may find', 'co', [bea]],
    ['the reference', 'NSTP-7KQ4-MXTD', [trisha]],
    ['the reference in small letters, without dashes', 'nstp7kq4mxtd', [trisha]],
    ['the reference without its prefix', '7kq4-mxtd', [trisha]],
    ['the reference with spaces', 'nstp 7kq4 mxtd', [trisha]],
    ['half a reference', 'NSTP-7K', [trisha]],
    ['another reference', 'NSTP-7KQ4-MXTX', []],
    ['a student ID', '2023-00451', [trisha]],
    ['a student ID without its dash', '202300451', [trisha]],
    ['a student ID that looks like a phone', 'tup-63-0917', [maria]],
    ['an e-mail address', 't.iguez_07@gmail.com', [trisha]],
    ['an e-mail address out of a mail program', 'Trisha <T.Iguez_07@GMAIL.com>,', [trisha]],
    ['what is before its @', 't.iguez', [trisha]],
    ['another domain', 't.iguez_07@yahoo.com', []],
    ['a domain', '@gmail.com', [trisha]],
    ['a phone as it was typed', '+63 917 555 0142', [trisha]],
    ['a phone as it is dialled at home', '09175550142', [trisha]],
    ['a phone in groups', '0917-555-0142', [trisha]],
    ['a phone with its country, in one', '+639175550142', [trisha]],
    ['a phone with its country and no plus', '63 917 555 0142', [trisha]],
    ['a phone with its country in parentheses', '(+63) 917 555 0142', [trisha]],
    ['a phone of the record without its country', '+63 918 555 0143', [al]],
    ['the emergency contact’s phone', '0928 555 0199', [trisha]],
    ['the guardian’s phone', '0939 555 0177', [trisha]],
    ['the end of a phone', '0143', [al]],
    ['particles in words', 'de la rosa', [rosa]],
    ['particles in one word', 'delarosa', [rosa]],
    ['Maria of an abbreviation', 'Maria Fe', [rosa]],
    ['an abbreviation of Maria', 'Ma. Luz', [maria]],
    ['Santa of an abbreviation', 'santa ana', [ana]],
    ['an abbreviation as it is', 'sta ana', [ana]],
    ['an extension', 'rosa jr', [rosa]],
    ['an extension in full', 'Dela Rosa, Fe Junior', [rosa]],
    ['a percent sign', '100%', [odd]],
    ['quotes', '"odd"', [odd]],
    ['a backslash', 'real\\', [odd]],
    ['a percent sign that stands for nothing', 'tri%mae', []],
    ['an underscore that stands for no letter', 'trish_ mae', [trisha]],
    ['signs alone', '%', []],
    ['a quote alone', "'", []],
    ['a statement', "'; drop table students; --", []],
  ])('%s: %s', async (_what, search, expected) => {
    expect(await namesFor(search)).toEqual(expected)
  })

  test.each(['name', '-name', 'course', '-email', 'archivedDate', 'emergencyContact', 'status'])(
    'the same in the order of %s',
    async (sort) => {
      expect(await namesFor('trisha yniguez', { sort })).toEqual([trisha])
      expect(await namesFor('trisha yniguez', { sort, component: 'ROTC' })).toEqual([])
    },
  )

  test('is counted on every page, also beyond the last', async () => {
    const page = (number: string, sort: string) => find('0', { pageSize: '2', page: number, sort })
    for (const sort of ['-registrationDate', 'course']) {
      const pages = [
        await page('1', sort),
        await page('2', sort),
        await page('3', sort),
        await page('4', sort),
        await page('5', sort),
      ]
      expect(pages.map(({ total }) => total)).toEqual([7, 7, 7, 7, 7])
      expect(new Set(pages.flatMap(({ items }) => items.map(({ id }: { id: string }) => id))).size).toBe(7)
    }
  })

  test('is what is selected and exported', async () => {
    const query = new URLSearchParams({ search: 'Yniguez, Trisha' })
    expect((await (await admin.call('GET', `/students/ids?${query}`)).json()).total).toBe(1)
    const file = await admin.call('GET', `/students/export.xlsx?${query}`)
    const [sheet] = await readWorkbook(Buffer.from(await file.arrayBuffer()))
    expect(sheet?.data).toHaveLength(2)
  })
})

describe('a record is found by its current values', () => {
  beforeEach(async () => {
    await server.database.db.deleteFrom('students').execute()
  })

  test('after it was edited, archived, brought back and deleted', async () => {
    const { id } = await store({ lastName: 'Abad' })
    const etag = async () => (await admin.call('GET', `/students/${id}`)).headers.get('ETag') ?? ''
    const change = async (method: string, path: string, body?: unknown) =>
      expect((await admin.call(method, path, body, { 'If-Match': await etag() })).ok).toBe(true)

    await change('PATCH', `/students/${id}`, { lastName: 'Ybañez', contactNumber: '+63 999 555 0000' })
    expect(await namesFor('abad')).toEqual([])
    expect(await namesFor('ybanez 09995550000')).toEqual(['Ybañez'])
    await change('POST', `/students/${id}/archive`)
    expect(await namesFor('ybanez')).toEqual([])
    expect(await namesFor('ybanez', { archive: 'archived', sort: '-archivedDate' })).toEqual(['Ybañez'])
    await change('POST', `/students/${id}/unarchive`)
    expect(await namesFor('ybanez')).toEqual(['Ybañez'])
    await change('DELETE', `/students/${id}`)
    expect(await namesFor('ybanez', { archive: 'all' })).toEqual([])
  })

  test('by the reference of a record that was merged into it, also among requests', async () => {
    const { id } = await store({ lastName: 'Abad' })
    await store({ lastName: 'Bello' })
    const { db } = server.database
    await db.insertInto('formerReferences').values({ reference: 'NSTP-AAAA-BBBB', studentId: id }).execute()
    for (const search of ['NSTP-AAAA-BBBB', 'aaaa bbbb']) expect(await namesFor(search)).toEqual(['Abad'])
    expect(await namesFor('NSTP-AAAA-BBBB', { missing: 'serialNumber' })).toEqual(['Abad'])
    expect(await namesFor('NSTP-AAAA-CCCC')).toEqual([])
    await db
      .insertInto('studentRequests')
      .values({ id: createId(), studentId: id, kind: 'copy', askedAt: new Date() })
      .execute()
    const listed = await admin.call('GET', '/requests?search=NSTP-AAAA-BBBB')
    expect((await listed.json()).items).toMatchObject([{ studentId: id }])
  })

  test('after all records were emptied', async () => {
    await store({ lastName: 'Abad' })
    await emptyStudents(server.database)
    const { rows } = await sql`select from student_search`.execute(server.database.db)
    expect(rows).toEqual([])
  })
})
