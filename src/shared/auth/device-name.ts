/** Browsers by what only they say; those further down are imitated by those above. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/\S+.*\bSafari\//, 'Safari'],
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

/** Browser and system as a person calls them; '' where the browser doesn't tell. */
export function deviceName(userAgent: string): { browser: string; system: string } {
  return { browser: nameIn(browsers, userAgent), system: nameIn(systems, userAgent) }
}

function nameIn(known: readonly [RegExp, string][], userAgent: string): string {
  return known.find(([sign]) => sign.test(userAgent))?.[1] ?? ''
}

/** 'Firefox on Windows' in one line, as far as a browser tells; '' where nothing is told at all. */
export function browserOf(userAgent: string): string {
  const { browser, system } = deviceName(userAgent)
  if (browser && system) return `${browser} on ${system}`
  return browser || (userAgent === '' ? '' : 'Another program')
}
