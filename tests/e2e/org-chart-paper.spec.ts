import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, test } from './journey.ts'
import { chartManager, openChart } from './org-chart-content.ts'

/** One photo, plain red: found again in the picture. */
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

test.describe('as a picture', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] })

  test('the whole chart is saved, closed branches included; what could not be drawn says what to do', async ({
    page,
  }) => {
    const { section } = await openChart(page)
    await expect(section.getByRole('button', { name: 'Expand all' })).toBeVisible()
    await page.route('**/assets/chart-export-*', (route) => route.abort())
    await section.getByRole('button', { name: 'Download image' }).click()
    await expect(section.getByRole('alert')).toContainText(
      'Failed to download the chart: We could not reach the server. Please check your internet connection and reload the page.',
    )
    await page.unroute('**/assets/chart-export-*')

    await openChart(page)
    await section.getByRole('button', { name: 'Collapse all' }).click()
    const saving = page.waitForEvent('download')
    await section.getByRole('button', { name: 'Download image' }).click()
    const download = await saving
    expect(download.suggestedFilename()).toBe('organizational-chart.png')
    const picture = sharp(readFileSync(await download.path()))
    const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true })
    expect((await picture.metadata()).format).toBe('png')
    // Twice as sharp as the screen: six boxes side by side in three rows, under heading and legend.
    expect(info.width).toBeGreaterThan(2 * 6 * 176)
    expect(info.height).toBeGreaterThan(2 * 3 * 120)
    const colourAt = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)]
    expect(colourAt(4, 4)).toEqual([255, 255, 255])
    const middle = Array.from({ length: info.height }, (_, y) => colourAt(Math.round(info.width / 2), y))
    const red = middle.filter(([red = 0, green = 255, blue = 255]) => red > 180 && green < 60 && blue < 60)
    // The photo of the highest position, 56 px across.
    expect(red.length).toBeGreaterThan(100)
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

test('a chart is printed alone and whole on one sheet that lies, the list as a list with everything open', async ({
  page,
}) => {
  const { section } = await openChart(page)
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
