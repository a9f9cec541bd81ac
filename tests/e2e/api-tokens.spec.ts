import { expect, expectAccessible, signIn, test } from './journey.ts'

test('a token is made, shown once, used and revoked', async ({ page, product }) => {
  await signIn(page)
  await page.goto('/admin?tab=system-settings#api-tokens')
  const panel = page.getByRole('region', { name: 'API tokens', exact: true })
  await panel.getByRole('button', { name: 'Create token' }).click()
  await expect(panel.getByText('Please fill in the name.')).toBeVisible()
  await expect(panel.getByLabel('Program name')).toBeFocused()

  // Both sizes of screen share a product.
  const name = `Registrar ${Date.now()}`
  await panel.getByLabel('Program name').fill(name)
  await panel.getByRole('button', { name: 'Create token' }).click()
  await expect(panel.getByRole('heading', { name: `Token for ${name}` })).toBeFocused()
  const token = (await panel.getByText(/^nstp_[\w-]{43}$/).textContent()) ?? ''
  // From the top: the bar covers what is scrolled under it, which counts as too small a target.
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessible(page)

  const send = async () => {
    const answer = await fetch(`${product.url}/api/send-email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ to: 'juan@example.edu.ph', subject: 'Hello', message: 'Hello' }),
    })
    return { status: answer.status, message: (await answer.json()).message }
  }
  // It is let in; there is only nothing to send by.
  expect(await send()).toEqual({ status: 503, message: 'Email service is not configured.' })

  await panel.getByRole('button', { name: 'I’ve saved it' }).click()
  await panel.getByRole('button', { name: 'Hide permanently' }).click()
  await expect(panel.getByText(token)).toBeHidden()
  const row = panel.getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText(token.slice(0, 11))
  await page.reload()
  await expect(row).toContainText('last used')
  await expect(panel.getByText(token)).toBeHidden()

  await panel.getByRole('button', { name: `Revoke ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByText(`Token for ${name} revoked`)).toBeVisible()
  await expect(row).toBeHidden()
  expect(await send()).toEqual({
    status: 401,
    message: 'This API token is invalid or was revoked. Please create a new one in the system settings.',
  })
})
