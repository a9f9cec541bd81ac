import { expect, type Locator, type Page } from '@playwright/test'
import { buildRegistration } from '#tests/factories/registration.ts'

const chosen = new Set(['civilStatus', 'bloodType', 'course', 'program', 'yearLevel', 'academicYear'])
const ticked = new Set(['sex', 'nstpComponent'])

/** On a phone the form is in steps: shows that of a control. */
export async function showStep(control: Locator): Promise<void> {
  await control.evaluate((element) => {
    if (element.getClientRects().length > 0) return
    const field = element.closest('[data-step]')?.querySelector('[id]')?.id
    window.location.hash = field ?? `step-${element.closest('[data-steps]')?.getAttribute('data-steps')}`
  })
}

/** The form on a phone has no foot: the site's links are in the menu of its head. */
export async function openMenu(page: Page) {
  await page
    .getByRole('navigation', { name: /Main|Pangunahin/ })
    .getByRole('button')
    .click()
}

/** Fills the enlistment form in as a student would, without sending it. Fields with '' are left alone. */
export async function fillEnlistment(page: Page, overrides: Record<string, string> = {}): Promise<void> {
  const {
    consent,
    guardianConsent: _adult,
    dayCode: _none,
    dateOfBirth,
    ...fields
  } = { ...buildRegistration(), ...overrides }
  for (const [name, value] of Object.entries(fields)) {
    const control = page.locator(`[name="${name}"]`)
    if (value === '') continue
    await showStep(control.first())
    if (chosen.has(name)) await control.selectOption(value)
    else if (ticked.has(name)) await page.locator(`[name="${name}"][value="${value}"]`).check()
    else await control.fill(value)
  }
  const [year = '', month = '', day = ''] = dateOfBirth.split('-')
  await showStep(page.locator('[name="birthMonth"]'))
  await page.locator('[name="birthMonth"]').selectOption(String(Number(month)))
  await page.locator('[name="birthDay"]').fill(String(Number(day)))
  await page.locator('[name="birthYear"]').fill(year)
  await showStep(page.locator('[name="consent"]'))
  if (consent) await page.locator('[name="consent"]').check()
}

/** Puts the answers in at once, as a browser that knows them does, for tests of what comes after. */
export async function putEnlistment(page: Page, overrides: Record<string, string> = {}): Promise<void> {
  const {
    consent: _ticked,
    guardianConsent: _adult,
    dayCode: _none,
    dateOfBirth,
    ...fields
  } = {
    ...buildRegistration(),
    ...overrides,
  }
  const [birthYear = '', month, day] = dateOfBirth.split('-')
  const date = { birthYear, birthMonth: String(Number(month)), birthDay: String(Number(day)) }
  // The form's scripts come with the first touch.
  await page.locator('[name="lastName"]').evaluate((control: HTMLElement) => control.focus())
  await page.evaluate(putAnswers, { ...fields, ...date, consent: 'true' })
  // They count the answers.
  const count = page.getByText(/^1\d(\/| of )1\d required/)
  await expect(count.filter({ visible: true })).toBeVisible()
  await showStep(page.locator('[name="consent"]'))
}

/** Runs in the page. */
function putAnswers(answers: Record<string, string>): void {
  for (const [name, value] of Object.entries(answers)) {
    const controls = [...document.querySelectorAll<HTMLInputElement>(`[name="${name}"]`)]
    const choice = controls.find((control) => control.checked !== undefined && control.value === value)
    const [control] = controls
    if (choice && ['checkbox', 'radio'].includes(choice.type)) choice.click()
    else if (control && value !== '') {
      // React's own setter would hide the change from it.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value)
      for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }))
    }
  }
}

/** The notifications cover neither the reference code nor the component. */
export async function expectReceiptUncovered(page: Page): Promise<void> {
  const notices = page.getByRole('region', { name: 'Notifications' })
  const code = page.getByText(/^NSTP-[\w-]+$/)
  for (const part of [code, page.getByText('NSTP component', { exact: true }).locator('..')]) {
    // Both at once: they may be moving.
    await expect
      .poll(async () => {
        const [over, under] = [await notices.boundingBox(), await part.boundingBox()]
        if (!over || !under) return 'not shown'
        return over.y < under.y + under.height && under.y < over.y + over.height ? 'covered' : 'free'
      })
      .toBe('free')
  }
}

/** A last name that no other enlistment of this run has. */
export function uniqueLastName(): string {
  // Letters alone: between digits 'jr' would be an extension of the name.
  const letters = Array.from({ length: 6 }, () => 'abdeghklmnoptu'[Math.floor(Math.random() * 14)])
  return `Peñaflor-${letters.join('')}`
}

/** Registers a student as another program would; gives the reference. */
export async function registerStudent(page: Page, overrides: Record<string, string>): Promise<string> {
  const answer = await page.request.post('/api/registrations', {
    data: { ...buildRegistration(), ...overrides },
  })
  expect(answer.status()).toBe(201)
  const { reference }: { reference: string } = await answer.json()
  return reference
}

/** Types the birth date that the device's answers are asked for by. */
export async function typeBirthDate(page: Page, dateOfBirth = buildRegistration().dateOfBirth) {
  const [year = '', month, day] = dateOfBirth.split('-')
  const offer = page.getByRole('region', { name: 'Answers on this device' })
  await offer.getByLabel('Month').selectOption(String(Number(month)))
  await offer.getByLabel('Day').fill(String(Number(day)))
  await offer.getByLabel('Year').fill(year)
  await offer.getByRole('button', { name: 'Show the answers' }).click()
}
