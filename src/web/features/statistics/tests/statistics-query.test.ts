import { expect, test } from 'vitest'
import { statisticsAddress } from '../statistics-dashboard.tsx'

const { read, to } = statisticsAddress

test('an address without filters means all students and all time', () => {
  expect(read('')).toEqual({ period: 'all-time', component: 'all', compare: null })
})

test('invalid parameters are ignored', () => {
  expect(read('period=last-century&component=NROTC')).toEqual({
    period: 'all-time',
    component: 'all',
    compare: null,
  })
  expect(read('period=current-year&component=rotc')).toEqual({
    period: 'current-year',
    component: 'all',
    compare: null,
  })
})

test('filters are written into the address and read back, defaults left out', () => {
  expect(to({ period: 'all-time', component: 'all' })).toBe('/statistics')
  const filters = { period: 'last-7-days', component: 'LTS', compare: 'all-time' } as const
  expect(to(filters)).toBe('/statistics?period=last-7-days&component=LTS&compare=all-time')
  expect(read('?period=last-7-days&component=LTS&compare=all-time')).toEqual(filters)
})
