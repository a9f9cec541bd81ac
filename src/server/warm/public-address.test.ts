import { describe, expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'
import { createWarmKey } from './warm-key.ts'

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
])('%s is the same for everybody', (address) => {
  expect(isPublicAddress(address)).toBe(true)
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
  '//',
  '/privacy/',
  '*',
  'http://other.example/',
])('%s is not kept', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

describe('with a receipt', () => {
  const keyOf = createWarmKey('https://nstp.example')
  const keyWith = (cookie: string, address: string) =>
    keyOf({ method: 'GET', address, header: (name) => (name === 'cookie' ? cookie : undefined) })

  test.each(['/', '/_root.data', '/_root.data?_routes=pages%2Fhome'])('%s is for its visitor', (address) => {
    expect(keyWith('theme=dark', address)).toBe(address)
    expect(keyWith('nstp-receipt=x.y', address)).toBeUndefined()
    expect(keyWith('theme=dark; __Host-nstp-receipt=x.y', address)).toBeUndefined()
  })

  test.each(['/faq', '/announcements', '/api/announcements?limit=3', '/api/org-chart'])(
    '%s is the same as for everybody',
    (address) => {
      expect(keyWith('nstp-receipt=x.y', address)).toBe(address)
    },
  )
})
