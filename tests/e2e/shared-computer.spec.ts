import type { Page } from '@playwright/test'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import type { Product } from '#tests/setup/product.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectReady, nameOrigin, test } from './journey.ts'

/** A coordinator of ROTC, with the administrator's password. */
async function addCoordinator({ dataDir }: Product): Promise<string> {
  const email = `${uniqueLastName().toLowerCase()}@school.example`
  await queryDatabase(
    dataDir,
    `insert into admins (id, email, display_name, password_hash, has_first_password, role, components)
     select gen_random_uuid(), '${email}', 'Next', password_hash, false, 'coordinator', '{ROTC}'
     from admins order by created_at limit 1`,
  )
  return email
}

async function signInWith(page: Page, email: string) {
  nameOrigin(page.request)
  const answer = await page.request.post('/api/session', { data: { email, password: adminPassword } })
  expect(answer.ok()).toBe(true)
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: /^User menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
}

test('what one account left in the browser is not the next one’s', { tag: '@journey' }, async ({
  page,
  product,
}) => {
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, nstpComponent: 'CWTS' })
  await registerStudent(page, { nstpComponent: 'ROTC' })
  const next = await addCoordinator(product)
  await signInWith(page, adminEmail)
  const list = `/admin?tab=students&component=CWTS&search=${lastName}`
  await page.goto(list)
  await expectReady(page)
  const display = page.getByRole('button', { name: 'Display' })
  const sex = page.getByRole('columnheader', { name: 'Sex' })
  await expect(sex).toBeVisible()
  await display.click()
  await page.getByRole('menuitemcheckbox', { name: 'Sex' }).click()
  await page.keyboard.press('Escape')
  await expect(sex).toHaveCount(0)
  await display.click()
  await page.getByRole('menuitem', { name: 'Save these filters…' }).click()
  const naming = page.getByRole('dialog', { name: 'Save these filters' })
  await naming.getByLabel('Name of the view').fill('All of CWTS')
  await naming.getByRole('button', { name: 'Save' }).click()
  const view = page.getByRole('link', { name: 'All of CWTS' })
  await expect(view).toBeVisible()

  await page.getByRole('button', { name: new RegExp(`^View ${lastName}`) }).click()
  await page.getByRole('dialog', { name: 'Student Details' }).getByRole('link', { name: 'E-mail' }).click()
  const recipient = page.getByRole('textbox', { name: /^Recipient/ })
  await expect(recipient).toHaveValue(/@/)
  // As an enlistment that they were helping with.
  const draft = { startedAt: Date.now(), idempotencyKey: 'own', values: { lastName }, asksNumber: false }
  await page.evaluate((text) => sessionStorage.setItem('nstp-enlistment-draft', text), JSON.stringify(draft))
  await signOut(page)
  await page.goto('/register')
  expect(await page.evaluate(() => sessionStorage.getItem('nstp-enlistment-draft'))).toBeNull()
  await page.goBack()

  await signInWith(page, next)
  await page.goBack()
  await expectReady(page)
  await expect(page.getByRole('heading', { name: 'Email System' })).toBeVisible()
  await expect(recipient).toHaveValue('')
  await page.goto('/admin?tab=students')
  await expectReady(page)
  await expect(sex).toBeVisible()
  await expect(view).toHaveCount(0)
  await signOut(page)

  await signInWith(page, adminEmail)
  await page.goto(list)
  await expectReady(page)
  await expect(view).toBeVisible()
  await expect(sex).toHaveCount(0)
})

test('a page with unsaved input of one account leaves when another one signs in', async ({
  page,
  product,
}) => {
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, nstpComponent: 'CWTS' })
  const next = await addCoordinator(product)
  await signInWith(page, adminEmail)
  await page.goto(`/admin?tab=students&search=${lastName}`)
  await expectReady(page)
  await page.getByRole('button', { name: new RegExp(`^View ${lastName}`) }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Edit', exact: true }).click()
  const edit = page.getByRole('dialog', { name: /^Edit Student/ })
  await edit.getByRole('textbox', { name: /^Contact Number/ }).fill('0917 555 0101')

  await signInWith(page, next)
  await expect(page).toHaveURL(/\/admin$/)
  await expect(page.getByRole('button', { name: 'User menu of Next' })).toBeVisible()
  await expect(page.getByText(lastName)).toHaveCount(0)
})
