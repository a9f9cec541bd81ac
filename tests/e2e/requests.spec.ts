import type { Page } from '@playwright/test'
import { queryDatabase } from '#tests/faults/product-database.ts'
import type { Product } from '#tests/setup/product.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, expectReady, signIn, test } from './journey.ts'
import { openOwnPage } from './own-page.ts'
import { button, choose, openList } from './student-list.ts'

/** A student past the second step of /my, who makes requests by its API. */
async function enter(product: Product, lastName: string) {
  const { url } = product
  const cookie = await openOwnPage(product, `last_name = '${lastName}'`)
  const headers = { cookie, 'content-type': 'application/json', origin: url }
  return {
    async ask(body: object) {
      const answer = await fetch(`${url}/api/my/requests`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      expect(answer.status, await answer.clone().text()).toBe(201)
    },
    read: async () => (await (await fetch(`${url}/api/my/requests`, { headers })).json()).items,
  }
}

async function openRequest(page: Page, lastName: string) {
  await page.getByRole('button', { name: new RegExp(`^Open the request of ${lastName}`) }).click()
  const panel = page.getByRole('dialog', { name: 'Request of a student' })
  await expect(panel.getByText('asked on')).toBeVisible()
  return panel
}

test('the office accepts one field of a request and refuses another with a sentence', {
  tag: '@journey',
}, async ({ page, product }) => {
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, firstName: 'Ana', barangay: 'Sabang' })
  const student = await enter(product, lastName)
  await signIn(page)
  await page.goto('/admin?tab=requests')
  await expectReady(page)
  await expect(page.getByText('No open requests.')).toBeVisible()

  const changes = { firstName: 'Anna', barangay: 'Tibag' }
  await student.ask({ kind: 'correction', changes, reason: 'As on my birth certificate.' })
  // It comes without a reload.
  const panel = await openRequest(page, lastName)
  await expect(panel.getByText('As on my birth certificate.')).toBeVisible()
  await expectAccessible(page)
  await panel.getByRole('checkbox', { name: 'Accept: First Name' }).check()
  await panel.getByRole('button', { name: 'Accept 1 of 2' }).click()
  await expect(panel.getByText('Please write why: the student reads it.').first()).toBeVisible()
  await panel.getByLabel('Answer to the student').fill('Bring a certificate of residency.')
  await panel.getByRole('button', { name: 'Accept 1 of 2' }).click()
  await expect(panel).toBeHidden()
  await expect(page.getByText('No open requests.')).toBeVisible()

  expect(await student.read()).toMatchObject([
    {
      state: 'granted',
      answer: 'Bring a certificate of residency.',
      changes: [
        { field: 'firstName', granted: true },
        { field: 'barangay', granted: false },
      ],
    },
  ])
  await page.goto('/admin?tab=requests&state=decided')
  await expectReady(page)
  const decided = await openRequest(page, lastName)
  await expect(decided.getByText('Barangay: not changed')).toBeVisible()
  await decided.getByRole('link', { name: new RegExp(lastName) }).click()
  await expect(page.getByRole('dialog', { name: 'Student Details' }).getByText('Anna').first()).toBeVisible()
  await page.goto('/admin?tab=audit')
  await expect(page.getByText('Decided a student’s request').last()).toBeVisible()
  await expect(page.getByText('A student made a request').last()).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a request of a student below 18 is granted once somebody spoke with the guardian', async ({
    page,
    product,
  }) => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName })
    const student = await enter(product, lastName)
    await queryDatabase(
      product.dataDir,
      `update students set guardian_name = 'Maria Cruz', guardian_contact_number = '0917 123 4567',
         date_of_birth = (now() - interval '17 years')::date where last_name = '${lastName}'`,
    )
    await student.ask({
      kind: 'component',
      changes: { nstpComponent: 'ROTC' },
      reason: 'My brother is in it.',
    })
    await signIn(page)
    await page.goto('/admin?tab=requests')
    await expectReady(page)
    await expect(page.getByText('Guardian first')).toBeVisible()
    await expectAccessible(page)
    const panel = await openRequest(page, lastName)
    await expect(panel.getByText('Maria Cruz')).toBeVisible()
    await panel.getByRole('button', { name: 'Accept' }).click()
    await expect(panel.getByText('Speak with the guardian of record first').first()).toBeVisible()
    await expectAccessible(page)
    await panel.getByRole('checkbox', { name: 'I spoke with the guardian, who agrees.' }).check()
    await panel.getByRole('button', { name: 'Accept' }).click()
    await expect(panel).toBeHidden()
    expect(await student.read()).toMatchObject([{ state: 'granted' }])
  })

  test('blocking and erasure below 18 wait for the guardian, and a granted erasure for the deletion', {
    tag: '@journey',
  }, async ({ page, product }) => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName })
    await queryDatabase(
      product.dataDir,
      `update students set guardian_name = 'Maria Cruz',
         date_of_birth = (now() - interval '17 years')::date where last_name = '${lastName}'`,
    )
    const student = await enter(product, lastName)
    for (const kind of ['blocking', 'erasure']) await student.ask({ kind, reason: 'I left the school.' })
    const waiting = { state: 'open', waitsForGuardian: true }
    expect(await student.read()).toMatchObject([waiting, waiting])
    await signIn(page)
    const panel = page.getByRole('dialog', { name: 'Request of a student' })
    const open = (kind: string) =>
      page.getByRole('button', { name: new RegExp(`^Open the request of ${lastName}.*${kind}`) }).click()

    await test.step('nothing is granted before somebody spoke with the guardian', async () => {
      for (const kind of ['Blocking', 'Erasure']) {
        await page.goto(`/admin?tab=requests&search=${lastName}`)
        await expectReady(page)
        await open(kind)
        await expect(panel.getByText('Maria Cruz')).toBeVisible()
        await panel.getByRole('button', { name: 'Accept' }).click()
        await expect(panel.getByText('Speak with the guardian of record first').first()).toBeVisible()
      }
      await panel.getByRole('checkbox', { name: 'I spoke with the guardian, who agrees.' }).check()
      await panel.getByRole('button', { name: 'Accept' }).click()
      await expect(panel).toBeHidden()
    })

    await test.step('the granted erasure says that the record is still to be deleted', async () => {
      await page.goto('/admin')
      await expectReady(page)
      await expect(page.getByRole('link', { name: /privacy requests? to answer by/ })).toBeVisible()
      await page.goto(`/admin?tab=requests&state=decided&kind=erasure&search=${lastName}`)
      await expect(page.getByText('Record to delete')).toBeVisible()
      await open('Erasure')
      await expect(panel.getByText('Left to do: delete the record')).toBeVisible()
      await expectAccessible(page)
    })

    await test.step('and no longer once it is', async () => {
      const requests = await page.context().newPage()
      await requests.goto(`/admin?tab=requests&state=decided&kind=erasure&search=${lastName}`)
      const task = requests.getByText('Record to delete')
      await expect(task).toBeVisible()
      await openList(page, lastName)
      await choose(page, 'Delete')
      await button(page, 'Delete').click()
      await expect(page.getByText('Student deleted successfully')).toBeVisible()
      await expect(task).toHaveCount(0)
    })
  })
})
