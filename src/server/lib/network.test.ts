import { expect, test } from 'vitest'
import { networkList, networkOf, networkToKeep } from './network.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s belongs to the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('of a site with many IPv6 networks there is one of 48 bits', () => {
  expect(networkOf('2001:db8:1:2::9', 48)).toBe('2001:db8:1::/48')
  expect(networkOf('203.0.113.7', 48)).toBe('203.0.113.7')
})

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1::/48'],
  ['unknown', null],
])('of %s the network %s is kept', (address, network) => {
  expect(networkToKeep(address)).toBe(network)
})

test('a list of networks knows the addresses in them', () => {
  const isListed = networkList('203.0.113.0/24, 2001:db8::/48 198.51.100.7')
  const listed = ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:0:5::1', '198.51.100.7']
  expect(listed.filter(isListed)).toEqual(listed)
  expect(['203.0.114.1', '2001:db9::1', '198.51.100.8', 'unknown', ''].filter(isListed)).toEqual([])
  expect(networkList()('203.0.113.9')).toBe(false)
})
