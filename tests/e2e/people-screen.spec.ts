import type { Page } from '@playwright/test'
import { adminEmail } from '#tests/setup/administrator.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { chooseAction, expect, expectAccessible, expectReady, signIn, test } from './journey.ts'

const ownPassword = 'seven green umbrellas at noon'

async function openPeople(page: Page) {
  await signIn(page)
  // An office of one account has no list yet.
  const answer = await page.request.post('/api/people', {
    data: { ...uniquePerson(), role: 'privacy officer', components: [], expiresOn: null },
  })
  expect(answer.status()).toBe(201)
  await page.goto('/admin?tab=people')
  await expectReady(page)
  await expect(page.getByRole('button', { name: 'Add a person' })).toBeVisible()
}

function uniquePerson() {
  const displayName = `Ana ${uniqueLastName()}`
  return { displayName, email: `${displayName.slice(-6)}@school.example` }
}

// The browser itself reports what the server refuses.
test.use({ expectedErrors: [/422/] })

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('a coordinator of one component is added, sees its students alone, and is ended', {
  tag: '@journey',
}, async ({ page, browser, product }) => {
  // Two people at work.
  test.slow()
  const [own, other] = [uniqueLastName(), uniqueLastName()]
  await registerStudent(page, { lastName: own, nstpComponent: 'CWTS' })
  await registerStudent(page, { lastName: other, nstpComponent: 'ROTC' })
  await openPeople(page)
  await expectAccessible(page)
  const { displayName: name, email } = uniquePerson()

  await page.getByRole('button', { name: 'Add a person' }).click()
  const panel = page.getByRole('dialog', { name: 'Add a person' })
  await panel.getByRole('button', { name: 'Add person' }).click()
  await expect(panel.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await panel.getByRole('textbox', { name: 'Name' }).fill(name)
  await panel.getByRole('textbox', { name: 'E-mail' }).fill(adminEmail)
  await panel.getByRole('button', { name: 'Add person' }).click()
  await expect(panel.getByText('Please choose a role.')).toBeVisible()
  await panel.getByRole('radio', { name: /^Coordinator/ }).check()
  await panel.getByRole('checkbox', { name: 'CWTS' }).check()
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Add person' }).click()
  // Refused by the server: beside its field, and nothing is lost.
  await expect(panel.getByText('Another person has this email address.')).toBeVisible()
  await expect(panel.getByRole('textbox', { name: 'E-mail' })).toBeFocused()
  await expect(panel.getByRole('textbox', { name: 'Name' })).toHaveValue(name)
  await panel.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await panel.getByRole('button', { name: 'Add person' }).click()

  await expect(panel.getByRole('heading', { name: `Give this password to ${name}.` })).toBeFocused()
  const first = (await panel.locator('code').textContent()) ?? ''
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'I’ve saved it' }).click()
  await panel.getByRole('button', { name: 'Hide permanently' }).click()
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL(/tab=people$/)
  await expect(rowOf(page, name)).toContainText('First password')
  await expect(rowOf(page, name).getByRole('cell')).toContainText([
    'Coordinator',
    'CWTS',
    '–',
    'Never',
    'Off',
  ])

  const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })
  const theirs = await context.newPage()
  await theirs.goto('/login')
  await theirs.locator('[name="email"]').fill(email)
  await theirs.locator('[name="password"]').fill(first)
  await theirs.getByRole('button', { name: 'Sign in' }).click()
  await theirs.waitForURL('/first-password')
  await theirs.locator('[name="newPassword"]').fill(ownPassword)
  await theirs.locator('[name="repeatedPassword"]').fill(ownPassword)
  await theirs.getByRole('button', { name: 'Change Password' }).click()
  await theirs.waitForURL('/admin')
  await theirs.goto('/admin?tab=students')
  await expectReady(theirs)
  await expect(theirs.getByText(`${own}, `).first()).toBeVisible()
  await expect(theirs.getByText(`${other}, `)).toHaveCount(0)
  await expect(rowOf(page, name)).toContainText('just now')

  await chooseAction(page, name, 'Disable')
  const question = page.getByRole('dialog', { name: 'Disable this account?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByText(`${name} can no longer sign in`)).toBeVisible()
  await expect(rowOf(page, name)).toContainText('Disabled')
  // Their page doesn't wait for a click.
  await theirs.waitForURL(/\/login/)
  await context.close()

  await chooseAction(page, name, 'Enable')
  await expect(rowOf(page, name)).not.toContainText('Disabled')
  await chooseAction(page, name, 'New password')
  const renewal = page.getByRole('dialog', { name: 'New password' })
  await renewal.getByRole('button', { name: 'Create password' }).click()
  await expect(renewal.getByRole('heading', { name: `Give this password to ${name}.` })).toBeFocused()
  await expect(renewal.locator('code')).not.toHaveText(first)
  await expectAccessible(page)
})

test('by keyboard alone: found by Ctrl K, filled in, saved and edited', async ({ page }) => {
  await openPeople(page)
  const { displayName: name, email } = uniquePerson()
  const { keyboard } = page
  await page.goto('/admin')
  await expectReady(page)
  await keyboard.press('Control+k')
  const options = page.getByRole('option')
  // The list follows each letter.
  await expect(options.first()).toBeVisible()
  await keyboard.type('add a person')
  await expect(options).toHaveText(['Add a person', /^Search the students/])
  await keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Add a person' })
  await expect(panel.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await keyboard.type(name)
  await keyboard.press('Tab')
  await keyboard.type(email)
  await keyboard.press('Tab')
  // The first role is in focus; the arrow keys choose.
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowDown')
  await expect(panel.getByRole('radio', { name: /^Assistant/ })).toBeChecked()
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await expect(panel.getByRole('checkbox', { name: 'CWTS' })).toBeFocused()
  await keyboard.press('Space')
  await keyboard.press('Enter')
  await expect(panel.getByText('Please enter the last day')).toBeVisible()
  await expect(panel.getByLabel('Last day')).toBeFocused()
  await keyboard.type('12312030')
  await keyboard.press('Enter')
  await expect(panel.getByRole('heading', { name: /^Give this password to/ })).toBeFocused()
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await expect(panel.getByRole('button', { name: 'Keep showing it' })).toBeFocused()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await expect(panel).toHaveCount(0)
  await expect(rowOf(page, name)).toContainText('Dec 31, 2030')

  await page.getByRole('button', { name: `Actions for ${name}` }).focus()
  await keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused()
  await keyboard.press('Enter')
  const edit = page.getByRole('dialog', { name: 'Edit person' })
  await expect(edit.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await keyboard.press('End')
  await keyboard.type(' Jr.')
  await keyboard.press('Enter')
  await expect(page.getByText('Changes saved')).toBeVisible()
  await expect(page.getByRole('button', { name: `Actions for ${name} Jr.` })).toBeFocused()
})

test('on a phone everything fits; the own account offers its name alone, which is not lost by leaving', {
  tag: '@phone',
}, async ({ page }) => {
  await openPeople(page)
  const { displayName: name, email } = uniquePerson()
  await page.getByRole('button', { name: 'Add a person' }).click()
  const panel = page.getByRole('dialog', { name: 'Add a person' })
  await panel.getByRole('textbox', { name: 'Name' }).fill(name)
  await panel.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await panel.getByRole('radio', { name: /^Registrar/ }).check()
  await expect(panel.getByRole('checkbox')).toHaveCount(0)
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Add person' }).click()
  await expect(panel.getByRole('heading', { name: /^Give this password to/ })).toBeVisible()
  await panel.getByRole('button', { name: 'I’ve saved it' }).click()
  await panel.getByRole('button', { name: 'Hide permanently' }).click()
  await expect(rowOf(page, name)).toContainText('Role: Registrar')
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)

  await test.step('the own account', async () => {
    const own = page.getByRole('row').filter({ hasText: adminEmail })
    await expect(own).toContainText('You')
    await own.getByRole('button', { name: /^Actions for/ }).click()
    await expect(page.getByRole('menuitem')).toHaveText(['Edit'])
    await page.getByRole('menuitem').click()
    const edit = page.getByRole('dialog', { name: 'Edit person' })
    await expect(edit.getByRole('radio')).toHaveCount(0)
    const former = await edit.getByRole('textbox', { name: 'Name' }).inputValue()
    await edit.getByRole('textbox', { name: 'Name' }).fill('Head of the office')
    // Unsaved input isn't lost by leaving.
    await page.keyboard.press('Escape')
    await page
      .getByRole('dialog', { name: 'Discard your changes?' })
      .getByRole('button', { name: 'Keep editing' })
      .click()

    await edit.getByRole('button', { name: 'Save changes' }).click()
    await expect(edit).toHaveCount(0)
    await expect(own).toContainText('Head of the office')

    await chooseAction(page, 'Head of the office', 'Edit')
    await edit.getByRole('textbox', { name: 'Name' }).fill(former)
    await edit.getByRole('button', { name: 'Save changes' }).click()
    await expect(own).toContainText(former)
  })
})
