import { afterAll, beforeAll, expect, test } from 'vitest'
import { enlistmentAnswers } from '#tests/setup/enlistment-answers.ts'
import { openOffice } from '#tests/setup/office-client.ts'
import { isShown, openPlainBrowser } from '#tests/setup/plain-browser.ts'
import { answerOf, shownText, textOf, tickedOf } from '#tests/setup/plain-page.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

const success = 'Registration successful! Thank you for registering for the NSTP program.'
const withoutMail = 'Registration complete. We could not send an email confirmation at this time.'
const submit = 'Submit registration'

let product: Product

beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' })
})
afterAll(() => product.remove())

test('the form is an ordinary one: mistakes keep what was typed, and the same messages answer', async () => {
  const { open, press } = openPlainBrowser(product.url)
  const form = await open('/register')
  const mistaken = { email: 'not an address', contactNumber: 'call me' }
  const refused = await press(form, submit, enlistmentAnswers(mistaken))
  expect(refused.status).toBe(422)
  expect(textOf(refused, '#email-error')).toBe('Please enter a valid email address.')
  expect(textOf(refused, '#contactNumber-error')).toBe('Please enter a valid contact number.')
  const summary = refused.page.getByText('2 answers need your attention')
  expect(isShown(summary)).toBe(true)
  // It has the focus when the page comes.
  expect(summary.closest('[autofocus]')).not.toBeNull()
  expect(answerOf(refused, 'lastName')).toBe('Dela Cruz')
  expect(answerOf(refused, 'birthYear')).toBe('2007')
  expect(answerOf(refused, 'email')).toBe('not an address')
  expect(tickedOf(refused, 'nstpComponent')).toEqual(['CWTS'])
  expect(tickedOf(refused, 'sex')).toEqual(['Male'])

  const corrected = { email: 'juan@student.example', contactNumber: '0917 123 4567' }
  const done = await press(refused, submit, corrected)
  expect(done.address).toBe('/register/confirmation')
  expect(done.page.getByRole('heading', { level: 1 }).textContent).toBe(success)
  // There is no e-mail account.
  expect(done.html).not.toContain(withoutMail)
  expect(done.page.getByText(/^NSTP-[0-9A-Z]{4}-[0-9A-Z]{4}$/)).toBeDefined()
})

test('30 February is no valid date of birth', async () => {
  const { open, press } = openPlainBrowser(product.url)
  const answers = enlistmentAnswers({ dateOfBirth: '2007-02-30', guardianContactNumber: 'N/A' })
  const refused = await press(await open('/register'), submit, answers)
  expect(textOf(refused, '#dateOfBirth-error')).toBe('Please enter a valid date of birth.')
  expect(shownText(refused)).not.toContain('Please fill in')
  expect(shownText(refused)).toContain('One answer needs')
})

test('the programs of all courses are listed, and one of another course is refused', async () => {
  const it = 'BS Information Technology'
  const law = 'BS Legal Management'
  const office = await openOffice(product.url)
  await office.changeSettings({
    programs: [
      { course: 'SOICT', name: it },
      { course: 'SOBM', name: law },
    ],
  })
  const { open, press } = openPlainBrowser(product.url)
  const answers = enlistmentAnswers({ course: 'SOICT', program: law })
  const refused = await press(await open('/register'), submit, answers)
  expect(textOf(refused, '#program-error')).toBe(
    'Please choose a degree program of your course, or leave it empty.',
  )
  const done = await press(refused, submit, { program: it })
  expect(done.address).toBe('/register/confirmation')
  await office.changeSettings({ programs: [] })
})
