const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux']
/** In this order: browsers name the ones they descend from. */
const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

/** 'Firefox on Windows', as far as a browser tells. */
export function browserOf(userAgent: string): string {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1]
  const system = systems.find((name) => userAgent.includes(name))
  if (browser && system) return `${browser} on ${system === 'Mac OS X' ? 'macOS' : system}`
  return browser ?? (userAgent === '' ? '' : 'Another program')
}
