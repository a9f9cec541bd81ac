// In the order of use, which decides between two of the same distance.
const commonDomains = [
  'gmail.com',
  'yahoo.com',
  'yahoo.com.ph',
  'outlook.com',
  'hotmail.com',
  'icloud.com',
  'ymail.com',
  'rocketmail.com',
  'googlemail.com',
  'protonmail.com',
]

// Real domains that resemble a common one.
const similarDomains = new Set([
  'mail.com',
  'email.com',
  'gmx.com',
  'yahoo.ca',
  'yahoo.cn',
  'yahoo.co.th',
  'hotmail.ca',
  'hotmail.ch',
  'outlook.ch',
  'outlook.cl',
  'outlook.cz',
  ...'ar au br cn co hk mx my pe sg tr tw ua uy ve vn'.split(' ').map((country) => `yahoo.com.${country}`),
])

// Edits; two swapped letters count as two.
const greatestDistance = 2

/**
 * The common domain that an address probably means; undefined when its own is right or unlike any.
 */
export function meantMailDomain(address: string): string | undefined {
  const [, domain] = /@([^@]+)$/.exec(address.trim().toLowerCase()) ?? []
  if (domain === undefined || commonDomains.includes(domain) || similarDomains.has(domain)) return undefined
  let meant: string | undefined
  let least = greatestDistance + 1
  for (const common of commonDomains) {
    // Also a limit: the comparison takes time by both lengths.
    if (Math.abs(common.length - domain.length) > greatestDistance) continue
    const distance = editDistance(domain, common)
    if (distance < least) [meant, least] = [common, distance]
  }
  return meant
}

export function mailQuestion(domain: string): string {
  return `Did you mean ${domain}?`
}

/** Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    let left = index + 1
    const next = [left]
    for (const [column, wanted] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === wanted ? 0 : 1)
      left = Math.min(replaced, left + 1, (row[column + 1] ?? 0) + 1)
      next.push(left)
    }
    row = next
  }
  return row.at(-1) ?? 0
}
