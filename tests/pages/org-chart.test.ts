import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { openOffice } from '#tests/setup/office-client.ts'
import { isShown, openPlainBrowser } from '#tests/setup/plain-browser.ts'
import { shownText } from '#tests/setup/plain-page.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

const longName =
  'Maria Concepcion Immaculada de los Santos y Villanueva-Rodriguez Fernandez del Rosario Aquino'

let product: Product

beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' })
})
afterAll(() => product.remove())

test('every position can be read without scripts, also where the chart is closed', async () => {
  const { done } = await openOffice(product.url)
  const add = async (name: string, parentId?: string) => {
    const { id } = await done<OrgNode>('POST', '/org-chart/nodes', {
      name,
      ...(parentId ? { parentId } : {}),
    })
    return id
  }
  const director = await add('Dr. Maria Santos')
  await add(longName, await add('Angelica Reyes', director))
  const head = await add('Head of many', await add('Jose Peña', director))
  for (let n = 1; n <= 30; n++) await add(`Member ${n}`, head)
  for (let n = 1; n <= 4; n++) await add(`Coordinator ${n}`)

  const home = await openPlainBrowser(product.url).open('/organization')
  const section = home.page.getByRole('region', { name: 'Organizational chart' })
  const seen = shownText(home, section)
  for (const name of ['Dr. Maria Santos', 'Angelica Reyes', longName, 'Jose Peña', 'Head of many']) {
    expect(seen).toContain(name)
  }
  for (let n = 1; n <= 30; n++) expect(seen).toContain(`Member ${n},`)
  const buttons = [...section.querySelectorAll('button')]
  expect(buttons.map(({ textContent }) => textContent)).toContain('Expand all')
  expect(buttons.filter(isShown).map(({ textContent }) => textContent)).toEqual([])

  // The home page has its first three levels, says how many at the top it leaves out, and leads to the chart.
  const front = await openPlainBrowser(product.url).open('/')
  const summary = front.page.getByRole('region', { name: 'Organizational chart' })
  const leaders = ['Dr. Maria Santos', 'Angelica Reyes', longName, 'Head of many']
  for (const text of [...leaders, 'Coordinator 1and 3 more']) {
    expect(shownText(front, summary)).toContain(text)
  }
  expect(shownText(front, summary)).not.toContain('Member 1')
  const link = front.page.getByRole('link', { name: /^The whole chart \(positions: 39\)/ })
  expect(link.getAttribute('href')).toBe('/organization')
})
