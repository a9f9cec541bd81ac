import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comparedName, nameKey } from '#shared/students/person-names.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

interface Name {
  lastName: string
  firstName: string
}

async function keysInDatabase(names: readonly Name[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select person_name_key(person_name_part(name ->> 'lastName'), person_name_part(name ->> 'firstName')) as key
    from jsonb_array_elements(${JSON.stringify(names)}::jsonb) with ordinality as listed(name, place)
    order by place`.execute(database.db)
  return rows.map(({ key }) => key)
}

const word = fc.constantFrom(
  ...(
    'Ma Ma. MARIA maria Luz Dela De la DELA Cruz cruz Peña Pen\u0303a PENA Sta. Santa Sto Santo Ana ana José' +
    " D'Souza D’Souza Jr. jr JUNIOR Sr III iii II 2nd 3RD 4th V P. y Ñino Łukasz Müller ß 王 小明 Ана 😀 - . 12 N/A"
  ).split(' '),
)
const text = fc.oneof(
  fc
    .array(fc.tuple(word, fc.constantFrom(' ', '  ', '-', '', '. ')), { minLength: 1, maxLength: 4 })
    .map((words) => words.flat().join('').trim()),
  fc.string({ unit: fc.constantFrom(..."aAñÑzZ éÉ-.'’1 \u0303\t") }),
)
const name: fc.Arbitrary<Name> = fc.record({ lastName: text, firstName: text })

test('the database and the program say the same pairs of names to be one', async () => {
  const names = fc.sample(name, { numRuns: 20_000, seed: 9163 })
  const inDatabase = await keysInDatabase(names)
  const inProgram = names.map(nameKey)
  expect(inDatabase.filter((key, index) => key !== inProgram[index])).toEqual([])
  // The comparison would say little if few pairs were one.
  expect(new Set(inProgram).size).toBeLessThan(15_000)
})

test('who is one for the database is one in a list too', () => {
  const names = fc.sample(name, { numRuns: 5_000, seed: 10_931 })
  const nobody = { middleName: '', extensionName: '', fullName: '' }
  const missed = names.filter((one) => {
    const key = nameKey(one)
    return key !== '' && !comparedName({ ...nobody, ...one }).keys.includes(key)
  })
  expect(missed).toEqual([])
})

test('a dump restores: the keys are made with an empty search path', async () => {
  const { id } = await storeStudent(database, { lastName: 'Sta. Ana', firstName: 'Ma. Luz' })
  await database.transact(async (tx) => {
    await sql`alter table students disable trigger user`.execute(tx)
    await sql`set local search_path = ''`.execute(tx)
    await sql`update public.students set first_name = 'Luz' where id = ${id}`.execute(tx)
    await sql`set local search_path = public`.execute(tx)
    await sql`alter table students enable trigger user`.execute(tx)
  })
})

test('whatever is typed has a key that a column can hold', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ lastName: fc.string({ unit: 'binary' }), firstName: fc.string() }), {
        maxLength: 20,
      }),
      async (names) => {
        const stored = names.map(({ lastName, firstName }) => ({
          lastName: lastName.replaceAll('\0', ''),
          firstName: firstName.replaceAll('\0', ''),
        }))
        const keys = await keysInDatabase(stored)
        expect(keys.filter((key) => typeof key !== 'string')).toEqual([])
      },
    ),
    { numRuns: 50 },
  )
})
