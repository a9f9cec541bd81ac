// Order matters: later browsers are imitated by earlier ones.
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/^(?=.*\bVersion\/\S).*\bSafari\//, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

export function deviceName(userAgent: string): { browser: string; system: string } {
  return { browser: nameIn(browsers, userAgent), system: nameIn(systems, userAgent) }
}

function nameIn(patterns: readonly [RegExp, string][], userAgent: string): string {
  return patterns.find(([sign]) => sign.test(userAgent))?.[1] ?? ''
}

export function browserOf(userAgent: string): string {
  const { browser, system } = deviceName(userAgent)
  if (browser && system) return `${browser} on ${system}`
  return browser || (userAgent === '' ? '' : 'Another program')
}
