import { expect, test } from 'vitest'
import { sections } from './sections.ts'
import { findSettings, isOwnCard, settingsPageAt, settingsPages } from './settings-pages.ts'

test.each([
  ['', 'Enlistment'],
  ['#courses', 'Enlistment'],
  ['#logo', 'School'],
  ['#rotcOfficeAddress', 'School'],
  ['#backup', 'Records and sign-in'],
  ['#public-address', 'E-mail'],
  ['#page-site-content', 'Site content'],
  ['#nowhere', 'Enlistment'],
])('the place %j is on the page %s', (hash, page) => {
  expect(settingsPageAt(hash)).toBe(page)
})

test('a setting is found by any words of its card and its name', () => {
  const found = (text: string) => findSettings(text).map(({ anchor }) => anchor)
  expect(found('backup')).toEqual(['backup'])
  expect(found('minute e-mails')).toEqual(['mailPerMinute'])
  expect(found('address rotc')).toEqual(['rotcOfficeAddress'])
  expect(found('quote')).toEqual(['testimonials'])
  expect(found('maintenance')).toEqual(['enlistment'])
  expect(found('  ')).toEqual([])
  expect(found('no such words')).toEqual([])
})

test('each section of the settings is on one page', () => {
  const shown = settingsPages.flatMap(({ cards }) => cards).filter((card) => !isOwnCard(card))
  expect([...shown].sort()).toEqual(Object.keys(sections).sort())
})
