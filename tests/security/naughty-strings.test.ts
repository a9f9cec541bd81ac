// @module-tag rest
import { randomBytes } from 'node:crypto'
import readWorkbook from 'read-excel-file/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailRenderer, createUnsubscribeTokens } from '#server/features/mail/rendering/renderer.ts'
import { xmlEscape } from '#server/lib/xml-escape.ts'
import { isPhoneNumber } from '#shared/field-rules.ts'
import { onOneLine } from '#shared/mail/mail-placeholders.ts'
import { defaultSettings } from '#shared/settings/settings.ts'
import { type StudentField, studentFieldNames, studentFields } from '#shared/students/student-fields.ts'
import { naughtyStrings } from '#tests/factories/naughty-strings.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { type ImportSetup, openImportSetup } from '#tests/setup/imports.ts'

const choices: StudentField[] = [
  'dateOfBirth',
  'sex',
  'civilStatus',
  'bloodType',
  'course',
  'yearLevel',
  'academicYear',
  'nstpComponent',
  // What doesn't look like a number isn't kept from the form, and asked about in an import.
  'serialNumber',
]
// Longer than any field, and a body within its limit.
const strings = naughtyStrings.filter(({ length }) => length < 10_000)
const texts = studentFieldNames.filter((field) => !choices.includes(field))
type Values = Partial<Record<StudentField, unknown>>

let setup: ImportSetup
beforeAll(async () => {
  setup = await openImportSetup()
})
afterAll(() => setup.close())

/** Enlists with the text in every field; the fields that refuse it get an ordinary value. */
async function enlist(text: string, number: number) {
  // Another person each time.
  const born = new Date(Date.UTC(2000, 0, 1 + number)).toISOString().slice(0, 10)
  const ordinary = buildRegistration({ email: `person${number}@student.example`, dateOfBirth: born })
  const naughty = { ...ordinary, ...Object.fromEntries(texts.map((field) => [field, text])) }
  const post = (body: unknown) =>
    fetch(`${setup.server.url}/api/registrations`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const refusal = await post(naughty)
  expect(refusal.status, text).toBe(422)
  const { errors }: { errors: { path: StudentField; message: string }[] } = await refusal.json()
  for (const { path, message } of errors) {
    expect(texts).toContain(path)
    expect(message).toMatch(/^Please .*\.$/)
  }
  const refused = errors.map(({ path }) => path)
  const accepted = { ...naughty, ...Object.fromEntries(refused.map((field) => [field, ordinary[field]])) }
  const answer = await post(accepted)
  expect(answer.status, text).toBe(201)
  const { id }: { id: string } = await answer.json()
  return { id, typed: Object.fromEntries(texts.map((field) => [field, accepted[field].trim()])) }
}

const only = (values: Values) => Object.fromEntries(texts.map((field) => [field, values[field]]))

/** A file's phone number with more digits than one has, or one that a spreadsheet shortened, is asked about. */
const noPhones = [
  '1E+02',
  '2.2250738585072011e-308',
  '99999999999999999999',
  '-9223372036854775808/-1',
  '123456789012345678901234567890123456789',
]

test('any of 500 texts comes back the same from page, workbook and import', {
  timeout: 300_000,
}, async () => {
  expect(strings.length).toBeGreaterThan(500)
  const admin = createAdminClient(setup.server, await setup.server.signIn())
  const typed = new Map<string, Values>()
  for (const [number, text] of strings.entries()) {
    const student = await enlist(text, number)
    typed.set(student.id, student.typed)
    expect(only(await (await admin.call('GET', `/students/${student.id}`)).json())).toEqual(student.typed)
  }
  const byEmail = new Map([...typed.values()].map((values) => [values.email, values]))

  const file = new Uint8Array(await (await admin.call('GET', '/students/export.xlsx')).arrayBuffer())
  const [sheet] = await readWorkbook(Buffer.from(file), { trim: false })
  const [header = [], ...rows] = sheet?.data ?? []
  const cellOf = (row: readonly unknown[], field: StudentField) =>
    row[header.indexOf(studentFields[field].label)] ?? ''
  for (const row of rows) {
    const cells = Object.fromEntries(texts.map((field) => [field, cellOf(row, field)]))
    expect(cells).toEqual(byEmail.get(cells.email))
  }
  expect(rows).toHaveLength(strings.length)

  await setup.clear()
  const uploaded = await setup.imports.upload(file, 'students.xlsx')
  const reference = uploaded.columns.findIndex(({ guess }) => guess === 'reference')
  const checked = await setup.imports.check(uploaded, { columns: { [reference]: null } })
  expect(checked.counts).toMatchObject({ problem: noPhones.length })
  // Names that differ only in what no reader sees.
  await setup.imports.call('PATCH', `/${uploaded.id}/rows`, { state: 'duplicate', decision: 'take' })
  await setup.imports.wait(uploaded.id)
  await setup.imports.run(uploaded.id)
  const imported = await setup.students()
  expect(imported).toHaveLength(strings.length - noPhones.length)
  for (const student of imported) expect(only(student)).toEqual(asImported(byEmail.get(student.email) ?? {}))
})

/** An import takes a dash in an optional cell for nothing, and the dots within a phone number for spaces. */
function asImported(values: Values): Values {
  const read = (field: StudentField) => {
    const text = String(values[field])
    if (/^(n\/a|-{1,3}|[–—.])$/i.test(text) && !('required' in studentFields[field])) return ''
    const spaced = text.replace(/(\d)\.(?=\d)/g, '$1 ')
    return field === 'guardianContactNumber' && isPhoneNumber(spaced) ? spaced : text
  }
  return Object.fromEntries(texts.map((field) => [field, read(field)]))
}

test('a mail to such a student has the text, escaped', async () => {
  const renderer = createMailRenderer({
    settings: () => defaultSettings,
    publicAddress: () => 'https://nstp.school.edu.ph',
    digitsOf: () => '012345',
    referencesOf: async () => [{ reference: 'NSTP-7K3D-M9QX', academicYear: '2026-2027' }],
    readLogo: async () => null,
    tokens: createUnsubscribeTokens({ unsubscribeLinks: randomBytes(32) }),
  })
  for (const firstName of naughtyStrings) {
    const { html, subject } = await renderer.render(
      {
        kind: 'bulk',
        recipient: 'ana@student.example',
        subject: firstName,
        content: { template: 'batch', values: { firstName } },
        batch: {
          template: 'custom',
          body: 'Start {firstName} end',
          bodyFormat: 'text',
          announcementId: null,
        },
      },
      'office@school.example',
    )
    const shown = onOneLine(firstName) || 'Student'
    expect(html).toContain(`Start ${xmlEscape(shown)} end`)
    expect(subject).toBe(onOneLine(firstName))
  }
})
