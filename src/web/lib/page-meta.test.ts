import { expect, test } from 'vitest'
import { pageMeta } from './page-meta.ts'

test('a public page has a title, a description and a preview', () => {
  const meta = pageMeta({ title: 'Privacy notice', description: 'What is collected and why.' })
  expect(meta).toContainEqual({ title: 'Privacy notice · NSTP Portal' })
  expect(meta).toContainEqual({ name: 'description', content: 'What is collected and why.' })
  expect(meta).toContainEqual({ property: 'og:title', content: 'Privacy notice · NSTP Portal' })
})

test('the home page is called by the product alone', () => {
  expect(pageMeta({ title: 'NSTP Portal', description: 'Enlist.' })).toContainEqual({ title: 'NSTP Portal' })
})

test('a page without a description stays out of search engines', () => {
  expect(pageMeta({ title: 'Login' })).toEqual([
    { title: 'Login · NSTP Portal' },
    { name: 'robots', content: 'noindex' },
  ])
})
