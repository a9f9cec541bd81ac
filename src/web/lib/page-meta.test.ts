import { describe, expect, test } from 'vitest'
import { pageMeta } from './page-meta.ts'

const site = {
  systemName: 'NSTP of Santa Rosa',
  schoolName: 'Santa Rosa College',
  origin: 'https://nstp.example.edu.ph',
}
const description = 'What is collected and why.'

describe('a public page', () => {
  const meta = pageMeta({ title: 'Privacy notice', description, site, path: '/privacy' })

  test('has a title, a description and a preview', () => {
    expect(meta).toContainEqual({ title: 'Privacy notice · NSTP of Santa Rosa' })
    expect(meta).toContainEqual({ name: 'description', content: description })
    expect(meta).toContainEqual({ property: 'og:title', content: 'Privacy notice' })
    expect(meta).toContainEqual({ property: 'og:type', content: 'website' })
    expect(meta).toContainEqual({ property: 'og:image', content: 'https://nstp.example.edu.ph/og.png' })
  })

  test('has one address', () => {
    const href = 'https://nstp.example.edu.ph/privacy'
    expect(meta).toContainEqual({ tagName: 'link', rel: 'canonical', href })
    expect(meta).toContainEqual({ property: 'og:url', content: href })
  })
})

test('a dated page has its dates and its own image', () => {
  const meta = pageMeta({
    title: 'Orientation',
    description,
    site,
    path: '/announcements/1',
    picture: { url: '/api/files/1.jpg', width: 800, height: 600 },
    article: { publishedAt: Date.UTC(2026, 10, 20), updatedAt: Date.UTC(2026, 10, 21) },
  })
  expect(meta).toContainEqual({ property: 'og:type', content: 'article' })
  expect(meta).toContainEqual({ property: 'article:published_time', content: '2026-11-20T00:00:00.000Z' })
  expect(meta).toContainEqual({ property: 'article:modified_time', content: '2026-11-21T00:00:00.000Z' })
  expect(meta).toContainEqual({
    property: 'og:image',
    content: 'https://nstp.example.edu.ph/api/files/1.jpg',
  })
  expect(meta).toContainEqual({ property: 'og:image:width', content: '800' })
})

test('the home page has the names of the system and the school', () => {
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
