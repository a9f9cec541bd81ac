import { announcementsPath, feedPath } from '#shared/announcement-paths.ts'

/** Addresses whose answer is the same for every visitor, with the query parameters that they may have. */
const pages = new Map<string, readonly string[]>([
  ['/', []],
  [announcementsPath, ['category', 'show', 'cursor']],
  ['/programs', []],
  ['/faq', []],
  ['/contact', []],
  ['/privacy', []],
  ['/terms', []],
])
const data = new Map<string, readonly string[]>([
  ['/api/site', []],
  ['/api/announcements', ['category', 'limit', 'cursor']],
  ['/api/slides', []],
  ['/api/org-chart', []],
  [feedPath, []],
  ['/sitemap.xml', []],
  ['/robots.txt', []],
  ['/site.webmanifest', []],
])
/** One announcement: its page, and what the API says of it. */
const ofOneAnnouncement = /^(\/api)?\/announcements\/[0-9a-f]{8}-[0-9a-f-]{27}$/
/** What React Router's scripts ask for instead of a page, and the parameter by which they name its parts. */
const dataSuffix = '.data'
const dataParameter = '_routes'
const rootData = '/_root'
/** Longer ones are nobody's link. */
const maxLength = 300

/**
 * Whether an address has one answer for everybody who isn't signed in. A list of what may be kept, so that
 * whatever isn't on it stays out of memory: forms, signing in, a parameter that nobody knows.
 *
 * @param address path and query as they were sent
 */
export function isPublicAddress(address: string): boolean {
  if (address.length > maxLength) return false
  const mark = address.indexOf('?')
  const parameters = parametersOf(mark === -1 ? address : address.slice(0, mark))
  if (parameters === undefined || mark === -1) return parameters !== undefined
  const sent = [...new URLSearchParams(address.slice(mark + 1)).keys()]
  return new Set(sent).size === sent.length && sent.every((name) => parameters.includes(name))
}

/**
 * Whether a public address shows the receipt of the visitor who asks: the home page, and its data. Nothing else that may
 * be kept does, so that after an enlistment the rest still comes from memory.
 */
export function showsReceipt(address: string): boolean {
  return /^\/(_root\.data)?(\?|$)/.test(address)
}

function parametersOf(path: string): readonly string[] | undefined {
  if (!path.endsWith(dataSuffix)) return pages.get(path) ?? data.get(path) ?? ofAnnouncement(path)
  const stem = path.slice(0, -dataSuffix.length)
  const ofPage = stem === rootData ? pages.get('/') : (pages.get(stem) ?? ofAnnouncement(stem))
  return ofPage && [...ofPage, dataParameter]
}

function ofAnnouncement(path: string): readonly string[] | undefined {
  return ofOneAnnouncement.test(path) ? [] : undefined
}
