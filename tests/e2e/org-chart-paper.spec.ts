import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, test } from './journey.ts'
import { chartManager, openChart } from './org-chart-content.ts'

/** One photo, plain red. */
const photo = () =>
  sharp({ create: { width: 400, height: 500, channels: 3, background: '#cc2222' } })
    .png()
    .toBuffer()

test.beforeEach(async ({ page, baseURL }) => {
  const manager = await chartManager(baseURL)
  const officers = ['Ana', 'Ben', 'Carla', 'Dina', 'Elmer'].map((name) => ({ name, title: 'Officer' }))
  await manager.setUp({
    name: 'Maria',
    title: 'Director',
    photo: await photo(),
    under: [...officers, { name: 'Fe', title: 'Officer', under: [{ name: 'Gina', title: 'Aide' }] }],
  })
  await manager.close()
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
})

/** Prints as the button does, and gives the paper. */
async function print(page: Page) {
  await page.getByRole('button', { name: 'Print' }).click()
  await expect(page.locator('body')).toHaveAttribute('data-printed')
  await page.emulateMedia({ media: 'print' })
  await expect(
    page.getByRole('heading', { level: 1, name: 'National Service Training Program' }),
  ).toBeHidden()
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const pages = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
  return pages.map(([, width, height]) => (Number(width) > Number(height) ? 'wide' : 'tall'))
}

test.use({ expectedErrors: [/ERR_FAILED/] })

test('a chart is printed alone and whole on one sheet that lies, the list as a list with everything open', async ({
  page,
}) => {
  const { section } = await openChart(page)
  await expect(section.getByRole('button', { name: 'Expand all' })).toBeVisible()
  await page.route('**/assets/chart-paper-*', (route) => route.abort())
  await section.getByRole('button', { name: 'Print' }).click()
  await expect(section.getByRole('alert')).toContainText(
    'Failed to print the chart: We could not reach the server. Please check your internet connection and reload the page.',
  )
  await page.unroute('**/assets/chart-paper-*')
  await openChart(page)
  const paper = page.locator('.chart-paper')
  await section.getByRole('button', { name: 'Chart', exact: true }).click()
  await section.getByRole('button', { name: 'Collapse all' }).click()
  expect(await print(page)).toEqual(['wide'])
  for (const name of ['Maria', 'Fe', 'Gina']) {
    await expect(paper.getByText(name, { exact: true })).toBeVisible()
  }
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => {
    document.body.removeAttribute('data-printed')
    window.dispatchEvent(new Event('afterprint'))
  })
  await expect(paper).toHaveCount(0)

  await section.getByRole('button', { name: 'List', exact: true }).click()
  await section.getByRole('button', { name: 'Collapse all' }).click()
  expect(await print(page)).toEqual(['tall'])
  await expect(paper.getByText('Gina')).toBeVisible()
})
