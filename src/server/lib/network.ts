import { isIPv6 } from 'node:net'

/**
 * What counts as one caller. One caller can use a whole IPv6 network of 64 bits, so that network is the caller; an
 * IPv4-mapped IPv6 address is its IPv4 address.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const [plain = ''] = address.split('%')
  return isIPv6(plain) ? `${firstGroups(plain).join(':')}::/64` : address
}

function firstGroups(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const gap = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(Math.max(gap, 0)).fill('0'), ...after]
  return groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
}
