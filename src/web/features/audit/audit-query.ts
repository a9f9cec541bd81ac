import { type AuditAction, auditActionNames, maxAuditSearch } from '#shared/audit/audit.ts'
import { isCalendarDate } from '#shared/program-calendar.ts'

export interface AuditAddress {
  action: AuditAction | 'all'
  search: string
  from: string
  to: string
  student: string
  cursor: string
  entry: string | null
}

const texts = ['action', 'search', 'from', 'to', 'student', 'cursor'] as const

const controlCharacter = /\p{Cc}/u

/** Invalid parameters are ignored. */
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
