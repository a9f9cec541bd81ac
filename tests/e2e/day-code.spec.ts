import { putEnlistment, showStep } from './enlistment-form.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'
import { openSettings, section } from './settings-page.ts'

// The browser itself reports the refusals.
test.use({ expectedErrors: [/status of 422/] })

test('only with the code of the day: the office sees it, the form asks for it and keeps the answers', {
  tag: '@journey',
}, async ({ page, browser, baseURL }) => {
  const visitor = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage()
  await visitor.goto('/register')
  await putEnlistment(visitor)

  await signIn(page)
  await openSettings(page)
  const enlistment = await section(page, 'Enlistment')
  await enlistment.getByLabel('Require a daily code').check()
  await enlistment.getByRole('button', { name: 'Save' }).click()
  const shown = enlistment.getByText(/^[2-9A-Z]{6}$/)
  await expect(shown).toBeVisible()
  const code = (await shown.textContent()) ?? ''

  // Opened before the switch: the form learns of it by its refusal.
  const submit = visitor.getByRole('button', { name: 'Submit registration' })
  await showStep(submit)
  await submit.click()
  const field = visitor.getByRole('textbox', { name: 'Code of the day' })
  await expect(field).toBeVisible()
  await field.fill('AAAAAA')
  await submit.click()
  await expect(visitor.getByText('This is not today’s code.').first()).toBeVisible()
  await expectAccessible(visitor)
  await field.fill(code.toLowerCase())
  await submit.click()
  await expect(visitor.getByRole('heading', { name: /^Registration successful!/ })).toBeVisible()

  await enlistment.getByLabel('Require a daily code').uncheck()
  await enlistment.getByRole('button', { name: 'Save' }).click()
  await expect(shown).toBeHidden()
})
