import { expect, test } from 'vitest'
import { pageMeta } from './page-meta.ts'

const site = { systemName: 'NSTP of Santa Rosa', schoolName: 'Santa Rosa College' }

test('a public page has a title, a description and a preview', () => {
  const meta = pageMeta({ title: 'Privacy notice', description: 'What is collected and why.', site })
  expect(meta).toContainEqual({ title: 'Privacy notice · NSTP of Santa Rosa' })
  expect(meta).toContainEqual({ name: 'description', content: 'What is collected and why.' })
  expect(meta).toContainEqual({ property: 'og:title', content: 'Privacy notice · NSTP of Santa Rosa' })
})

test('the home page is called by the system and its school', () => {
  const description = 'Enlist.'
  expect(pageMeta({ description, site })).toContainEqual({ title: 'NSTP of Santa Rosa · Santa Rosa College' })
  expect(pageMeta({ description, site: { ...site, schoolName: '' } })).toContainEqual({
    title: 'NSTP of Santa Rosa',
  })
})

test('a page without a description stays out of search engines; one that failed has the product’s name', () => {
  expect(pageMeta({ title: 'Login', site: undefined })).toEqual([
    { title: 'Login · NSTP Portal' },
    { name: 'robots', content: 'noindex' },
  ])
})
