import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { expandIPv6 } from 'hono/utils/ipaddr'

/**
 * What counts as one caller. One caller can use a whole IPv6 network of 64 bits, so that network is the caller; an
 * IPv4-mapped IPv6 address is its IPv4 address.
 * @param bits of IPv6; 48 is what a site gets, with 65,536 networks of 64
 */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return address
  const groups = expandIPv6(plain)
    .split(':')
    .slice(0, bits / 16)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/${bits}`
}

/**
 * Coarser, to be kept with a registration: it tells a flood's source, not a person's line, which may be a whole IPv6
 * network of 64 bits. Null when it is not known.
 */
export function networkToKeep(address: string): string | null {
  const network = networkOf(address)
  if (isIPv4(network)) return `${network.slice(0, network.lastIndexOf('.'))}.0/24`
  return network.endsWith('/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : null
}

/**
 * Whether an address is in one of the networks.
 * @param text addresses and networks such as `203.0.113.0/24 2001:db8::/48`, separated by spaces or commas
 * @throws Error when one can't be read
 */
export function networkList(text = ''): (address: string) => boolean {
  const list = new BlockList()
  for (const network of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  // An IPv4 address in IPv6 is found among those of IPv4.
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
