import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ cachesResponses: true })
})
afterAll(() => server.close())

const id = '0b0e8a9e-6f5e-4c7e-9f2a-0d9f6a1b2c3d'

test.each([
  '/',
  '/_root.data',
  '/_root.data?_routes=pages%2Fhome',
  '/announcements',
  '/announcements?category=ROTC',
  '/announcements.data?category=ROTC&_routes=pages%2Fannouncements',
  `/announcements/${id}`,
  `/announcements/${id}.data`,
  `/api/announcements/${id}`,
  '/api/announcements?category=ROTC&limit=3&cursor=x',
  '/api/site',
  '/privacy',
  `/api/files/${'a'.repeat(64)}.webp`,
])('%s is public', (address) => {
  expect(server.cachedTopicsOf(address)).toBeDefined()
})

test.each([
  '/login',
  '/register',
  '/register.data',
  '/register/confirmation',
  '/admin',
  '/api/students',
  '/api/session',
  '/api/announcements?all=true',
  '/api/announcements?category=ROTC&category=CWTS',
  '/?utm_source=x',
  '/announcements?category=ROTC&x=1',
  '/announcements/not-an-id',
  `/announcements?category=${'x'.repeat(300)}`,
  `/api/files/${'a'.repeat(64)}.webp.data`,
  '//',
  '/privacy/',
  '*',
  'http://other.example/',
])('%s is not cached', (address) => {
  expect(server.cachedTopicsOf(address)).toBeUndefined()
})

test.each([
  ['/', ['announcements', 'slides', 'org-chart', 'settings']],
  ['/api/slides', ['slides']],
  ['/api/org-chart', ['org-chart']],
  ['/api/site', ['settings']],
  [`/api/announcements/${id}`, ['announcements']],
  ['/announcements/feed.xml', ['announcements', 'settings']],
  ['/robots.txt', []],
])('%s is cached until one of %j is published', (address, topics) => {
  expect(server.cachedTopicsOf(address)).toEqual(topics)
})
