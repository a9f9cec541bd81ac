import { expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

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
