import { type AuditAction, auditActionNames, maxAuditSearch } from '#shared/audit/audit.ts'
import { isCalendarDate } from '#shared/program-calendar.ts'

/** The state of the audit tab as the page's address holds it, all of it. */
export interface AuditAddress {
  action: AuditAction | 'all'
  search: string
  /** Calendar dates, '' for open. */
  from: string
  to: string
  /** A student's id whose history is shown, '' for everybody's. */
  student: string
  /** Where the shown piece begins, '' for the newest entries. */
  cursor: string
  /** The entry whose details are open. */
  entry: string | null
}

const texts = ['action', 'search', 'from', 'to', 'student', 'cursor'] as const

/** What the API refuses. */
const controlCharacter = /\p{Cc}/u

/** Reads the tab's state. What an address says wrongly counts as not said: an old link still opens the trail. */
export function readAuditAddress(params: URLSearchParams): AuditAddress {
  const search = params.get('search') ?? ''
  return {
    action: auditActionNames.find((action) => action === params.get('action')) ?? 'all',
    search: controlCharacter.test(search) ? '' : search.trim().slice(0, maxAuditSearch),
    from: readDate(params.get('from')),
    to: readDate(params.get('to')),
    student: params.get('student') ?? '',
    cursor: /^\d+\.[\da-f-]{36}$/.test(params.get('cursor') ?? '') ? (params.get('cursor') ?? '') : '',
    entry: params.get('entry') || null,
  }
}

/** Writes the tab's state as a query string, defaults left out. */
export function writeAuditAddress(address: AuditAddress): string {
  const params = new URLSearchParams({ tab: 'audit' })
  for (const name of texts) {
    if (address[name] !== '' && address[name] !== 'all') params.set(name, address[name])
  }
  if (address.entry) params.set('entry', address.entry)
  return `?${params}`
}

function readDate(text: string | null): string {
  return text !== null && isCalendarDate(text) ? text : ''
}
