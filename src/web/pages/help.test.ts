import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { guidePages } from '#web/features/admin/guide/pages.ts'
import { adminTabNames } from '#web/lib/admin-tab.ts'
import { loader } from './help.tsx'

const folder = 'src/web/features/admin/guide'
const names = guidePages.map(({ name }) => name)

/** All that the screens say, and the rest of their sources. */
function readSources(): string {
  const paths = ['src/web', 'src/shared'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path)),
  )
  return paths
    .filter((path) => /\.(tsx?|json)$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.startsWith(folder))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
    .replace(/\s+|\$(?=\{)/g, (found) => (found === '$' ? '' : ' '))
}

describe('the guide', () => {
  test('has a page for every tab and for the other screens, and no page outside of the index', () => {
    expect(names).toEqual(expect.arrayContaining([...adminTabNames, 'archived', 'statistics', 'backup']))
    const texts = readdirSync(folder).filter((file) => file.endsWith('.md'))
    expect(texts.sort()).toEqual(names.map((name) => `${name}.md`).sort())
  })

  test('has a picture of each screen, of at most 60 kB', () => {
    // These are of no screen of the office.
    const ofScreens = names.filter((name) => !['year', 'shortcuts', 'my', 'roll'].includes(name))
    const files = readdirSync(folder).filter((file) => file.endsWith('.webp'))
    expect(files.sort()).toEqual(ofScreens.map((name) => `${name}.webp`).sort())
    for (const file of files) expect(statSync(join(folder, file)).size).toBeLessThanOrEqual(60_000)
    for (const page of names)
      expect(Boolean(loader({ params: { page } }).picture)).toBe(ofScreens.includes(page))
  })

  test('has links only to its own pages and to the administration', () => {
    const links = names.flatMap((page) =>
      [...loader({ params: { page } }).html.matchAll(/href="([^"]*)"/g)].map(([, to = '']) => to),
    )
    const own = names.map((name) => `/help/${name}`)
    const tabs = adminTabNames.map((tab) => `/admin?tab=${tab}`)
    for (const to of links) expect([...own, '/admin', ...tabs]).toContain(to.replace(/#.*/, ''))
  })

  test('uses the labels of the screens', () => {
    const sources = readSources()
    const labels = names.flatMap((page) =>
      [...loader({ params: { page } }).html.matchAll(/<strong>(.*?)<\/strong>/g)].map(
        ([, label = '']) => `${page}: ${label.replaceAll('&amp;', '&')}`,
      ),
    )
    expect(labels.length).toBeGreaterThan(100)
    const isSaid = (label: string) =>
      [label, label.replace(/(ROTC|CWTS|LTS)( Form)?/, '{name}')].some((text) => sources.includes(text))
    expect(labels.filter((label) => !isSaid(label.replace(/^[\w-]+: /, '')))).toEqual([])
  })

  test.each(names)('the page %s has 10 to 50 lines', (page) => {
    const lines = loader({ params: { page } }).html.match(/<(li|p)>/g) ?? []
    expect(lines.length).toBeGreaterThanOrEqual(10)
    expect(lines.length).toBeLessThanOrEqual(50)
  })

  test.each([
    ['no-such-page', '/help'],
    ['email-test', '/help/email'],
    ['server-test', '/help/email'],
  ])('%s leads to %s', (page, to) => {
    let answer: unknown
    try {
      loader({ params: { page } })
    } catch (thrown) {
      answer = thrown
    }
    expect(answer instanceof Response && answer.headers.get('Location')).toBe(to)
  })
})
