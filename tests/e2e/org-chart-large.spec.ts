import { queryDatabase } from '#tests/faults/product-database.ts'
import { expect, expectAccessible, test } from './journey.ts'
import { chartManager, openChart } from './org-chart-content.ts'

// One by one through the API they would take half a minute.
const remove = 'delete from org_nodes'
/** 1 + 7 + 49 + 443 positions. */
const addFiveHundred = `
  create temporary table new_nodes as
  select gen_random_uuid() as id, level, n, case level
      when 0 then 'President' when 1 then 'Chief ' || n when 2 then 'Director ' || n else 'Member ' || n end as name
  from (values (0, 1), (1, 7), (2, 49), (3, 443)) as levels (level, count), generate_series(1, count) n;
  insert into org_nodes (id, name, title, parent_id, position, created_at, updated_at)
  select node.id, node.name, case node.level when 0 then 'President' when 3 then 'Officer' else '' end,
    parent.id, node.n, now(), now()
  from new_nodes node
  left join new_nodes parent on parent.level = node.level - 1 and parent.n = case node.level
    when 1 then 1 when 2 then (node.n - 1) / 7 + 1 else (node.n - 1) % 49 + 1 end
  order by node.level`
// What every process compares.
const announce = `insert into topics (name, version) values ('org-chart', 1)
  on conflict (name) do update set version = topics.version + 1`

test.describe('a chart of 500 positions', () => {
  // The browser itself tells of the request that is cut.
  test.use({ expectedErrors: [/net::ERR_FAILED/] })

  test('shows its top at first, reads the rest when it is near, and opens as a whole', async ({
    page,
    baseURL,
    product,
  }) => {
    const manager = await chartManager(baseURL)
    await queryDatabase(product.dataDir, `${remove}; ${addFiveHundred}; ${announce}`)
    // The product notices within a second.
    await expect.poll(async () => (await page.request.get('/')).text()).toContain('President')

    await page.route('**/api/org-chart', (route) => route.abort())
    const { section, tree, item } = await openChart(page)
    await expect(tree.getByRole('treeitem')).toHaveCount(8)
    await expect(section.getByRole('alert')).toContainText('Failed to load organizational chart: ')
    await expectAccessible(page)
    await page.unroute('**/api/org-chart')
    await section.getByRole('button', { name: 'Retry' }).click()
    await expect(section.getByRole('alert')).toHaveCount(0)

    await section.getByRole('button', { name: 'Expand all' }).click()
    await expect(tree.getByRole('treeitem')).toHaveCount(500)
    await item('Member 443').focus()
    await expect(item('Member 443')).toBeInViewport()

    await manager.rename('Member 443', 'Member of honour')
    await expect(item('Member of honour')).toBeFocused()
    await section.getByRole('button', { name: 'Collapse all' }).click()
    await expect(tree.getByRole('treeitem')).toHaveCount(1)
    await queryDatabase(product.dataDir, `${remove}; ${announce}`)
    await manager.close()
  })
})
