import { buildRegistration } from '#tests/factories/registration.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { configureMail } from '#tests/setup/configure-mail.ts'
import { openManager, post, uniqueTitle } from './announcements.ts'
import { registerStudent } from './enlistment-form.ts'
import { expect, expectAccessible, longWait } from './journey.ts'
import { test } from './mail-journey.ts'

test('an announcement is e-mailed to a component when it is posted, and the list says how far that is', {
  tag: '@journey',
}, async ({ page, sink }) => {
  const email = `lea.${process.pid}.${Date.now()}@school.example`
  await openManager(page)
  const enlisted = await page.request.post('/api/registrations', {
    data: buildRegistration({ email, nstpComponent: 'CWTS' }),
  })
  expect(enlisted.status()).toBe(201)

  await page.getByRole('button', { name: 'New announcement' }).click()
  const form = page.getByRole('dialog', { name: 'New announcement' })
  const title = uniqueTitle('Reading day')
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('Content').fill('Bring a book.')
  await form.getByLabel('Category').selectOption('Event')
  await form.getByLabel('Event date').fill('2019-12-05T08:00')
  await expect(form.getByText('This date is in the past.')).toBeVisible()
  await form.getByLabel('Event date').fill('2099-12-05T08:00')
  await form.getByLabel('Place').fill('Room *5*')
  await form.getByLabel('Send by e-mail when published').selectOption('CWTS')
  await expect(form.getByText(/^\d+ active students? at the moment\./)).toBeVisible()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Post announcement' }).click()
  await expect(page.getByText('Announcement posted successfully!')).toBeVisible()

  const mailed = () => sink.messages.filter(({ raw }) => raw.includes(title)).map(({ to }) => to[0])
  await expect.poll(mailed, { timeout: longWait }).toContain(email)
  const { raw = '' } = sink.messages.find(({ raw }) => raw.includes(title)) ?? {}
  expect(raw).toContain('Saturday, December 5, 2099 at 8:00 AM')
  expect(raw).toContain('Room *5*')
  await expect(form).toBeHidden({ timeout: 5_000 })
  const link = page.getByRole('link', { name: /^E-mailed to CWTS, \d+ of \d+$/ }).first()
  await expect(link).toBeVisible()
  await link.click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
})

test.describe('while e-mail is not configured', () => {
  test.use({ isConfigured: false })

  test('nobody can be chosen; what could not be e-mailed then is e-mailed when the coordinator says so', async ({
    page,
    product,
    sink,
    cookie,
  }) => {
    const email = `ben.${process.pid}.${Date.now()}@school.example`
    await registerStudent(page, { email, nstpComponent: 'CWTS' })
    await openManager(page)
    await page.getByRole('button', { name: 'New announcement' }).click()
    const form = page.getByRole('dialog', { name: 'New announcement' })
    await expect(form.getByText('Email service is not configured.')).toBeVisible()
    await expect(form.getByLabel('Send by e-mail when published')).toBeDisabled()

    const title = uniqueTitle('Late news')
    const { id } = await post(page.request, { title })
    // As it is left when nothing could be sent at that moment.
    await queryDatabase(
      product.dataDir,
      `update announcements set mail_to = 'CWTS', mail_problem = 'Email service is not configured.' where id = '${id}'`,
    )
    await configureMail(product.url, cookie, sink.account)
    await page.goto('/admin?tab=announcements')
    await expect(page.getByText('Not e-mailed to CWTS: Email service is not configured.')).toBeVisible()
    await expectAccessible(page)
    const button = page.getByRole('button', { name: `E-mail now: ${title}` })
    await button.focus()
    await page.keyboard.press('Enter')
    const link = page.getByRole('link', { name: /^E-mailed to CWTS, \d+ of \d+$/ }).first()
    await expect(link).toBeVisible()
    // The button is gone: whoever works by keyboard goes on where its end is told.
    await expect(link).toBeFocused()
    await expect(button).toHaveCount(0)
    const mailed = () => sink.messages.filter(({ raw }) => raw.includes(title)).flatMap(({ to }) => to)
    await expect.poll(mailed, { timeout: longWait }).toContain(email)
  })
})
