import { editDistance } from '#shared/edit-distance.ts'

// The most used domain comes first. The order decides between two of the same distance.
const commonDomains =
  'gmail.com yahoo.com yahoo.com.ph outlook.com hotmail.com icloud.com ymail.com rocketmail.com googlemail.com protonmail.com'.split(
    ' ',
  )

// Real domains that resemble a common one.
const similarDomains = new Set([
  ...'mail.com email.com gmx.com hotmail.ca hotmail.ch outlook.ch outlook.cl outlook.cz'.split(' '),
  ...'ca cn co.th'.split(' ').map((ending) => `yahoo.${ending}`),
  ...'ar au br cn co hk mx my pe sg tr tw ua uy ve vn'.split(' ').map((country) => `yahoo.com.${country}`),
])

// Edits; two swapped letters count as two.
const greatestDistance = 2

/** The common domain that an address probably means; undefined when its own is right or unlike any. */
export function meantMailDomain(address: string): string | undefined {
  const [, domain] = /@([^@]+)$/.exec(address.trim().toLowerCase()) ?? []
  if (domain === undefined || commonDomains.includes(domain) || similarDomains.has(domain)) return undefined
  let meant: string | undefined
  let least = greatestDistance + 1
  for (const common of commonDomains) {
    // This is also a limit: the comparison takes time by both lengths.
    if (Math.abs(common.length - domain.length) > greatestDistance) continue
    const distance = editDistance(domain, common, greatestDistance)
    if (distance < least) [meant, least] = [common, distance]
  }
  return meant
}
