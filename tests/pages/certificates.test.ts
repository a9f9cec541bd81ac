import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PrintedCertificates } from '#shared/certificates/certificates-response.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { openOffice } from '#tests/setup/office-client.ts'
import { openPlainBrowser, type PlainPage } from '#tests/setup/plain-browser.ts'
import { answerOf, textOf } from '#tests/setup/plain-page.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

const term = "'0198f4b2-0000-7000-8000-00000000c001'"

let product: Product
let office: Awaited<ReturnType<typeof openOffice>>
let certificate: PrintedCertificates['items'][number]

beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' })
  office = await openOffice(product.url)
  certificate = await issue()
})
afterAll(() => product.remove())

/** Gives a graduate a certificate, and reads it as its print does. */
async function issue() {
  const names = { lastName: 'Peñaflor', firstName: 'Juan', middleName: 'Dizon' }
  await office.done('POST', '/registrations', buildRegistration({ ...names, nstpComponent: 'ROTC' }))
  for (const statement of [
    `insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
      values (${term}, '2026-2027', 2, '2027-01-11', '2027-05-28', 'closed', now())`,
    `insert into enrolments (id, term_id, student_id, component, level, status_on, entry, mark, outcome)
      select gen_random_uuid(), ${term}, id, nstp_component, level, '2027-01-11', 'new', '1.25', 'passed'
      from students, unnest(array[1, 2]) level`,
    `update students set serial_number = 'RO-R03-000017-27'`,
  ]) {
    await queryDatabase(product.dataDir, statement)
  }
  const [student] = await queryDatabase<{ id: string }>(product.dataDir, 'select id from students')
  const wanted = { kind: 'completion', students: [student?.id], issuedOn: '2027-05-30' }
  const { batchId } = await office.done<{ batchId: string }>('POST', '/certificates', {
    ...wanted,
    academicYear: '2026-2027',
  })
  const { items } = await office.done<PrintedCertificates>('POST', '/certificates/prints', { batchId })
  const [printed] = items
  if (!printed) throw new Error('no certificate was issued')
  return printed
}

const answerText = (page: PlainPage) => textOf(page, '[role="status"]') ?? ''

test('a visitor verifies a certificate by its code, and reads as little of the person as shows it is genuine', async () => {
  const { open, press } = openPlainBrowser(product.url)
  const form = await open('/verify')
  expect(form.page.getByLabelText('Code on the certificate').getAttribute('name')).toBe('code')
  const found = await press(form, 'Verify', { code: certificate.code.toLowerCase() })
  expect(answerText(found)).toMatch(/Certificate NSTP-2027-\d{6} is genuine\./)
  expect(answerText(found)).toContain('J*** D. P***, ROTC, academic year 2026-2027')
  expect(answerText(found)).toContain('Issued May 30, 2027.')
  for (const ofPerson of ['Peñaflor', 'Juan', 'RO-R03-000017-27']) expect(found.html).not.toContain(ofPerson)
  expect(found.document.querySelector('meta[name="robots"]')?.getAttribute('content')).toBe('noindex')
  expect(found.headers.get('Cache-Control')).toBe('no-store')
})

test('in Filipino too, by the address that the QR code has', async () => {
  const { open } = openPlainBrowser(product.url, { 'Accept-Language': 'fil-PH' })
  const found = await open(`/verify/${certificate.code}`)
  expect(answerText(found)).toContain('Ibinigay noong Mayo 30, 2027.')
})

test('a code of no certificate is not known, and stays in its field', async () => {
  const english = openPlainBrowser(product.url)
  const unknown = await english.open('/verify/ABCDABCDABCD')
  expect(answerText(unknown)).toBe('We don’t know this code. Please check it and try again.')
  const { open, press } = openPlainBrowser(product.url, { 'Accept-Language': 'fil-PH' })
  const found = await press(await open('/verify'), 'I-verify', { code: '---' })
  expect(answerText(found)).toContain('Hindi namin kilala ang code na ito.')
  expect(answerOf(found, 'code')).toBe('---')
  expect(found.page.getByLabelText('Code sa sertipiko').getAttribute('name')).toBe('code')
})
