import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { auditActionNames, maxAuditSearch } from '#shared/audit/audit.ts'
import { isCalendarDate } from '#shared/program-calendar.ts'
import { createAddress, parseAsSearch, parseAsText } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'

const parseAsDate = parseAsText((text) => (isCalendarDate(text) ? text : null))

const parsers = {
  action: parseAsStringLiteral(['all', ...auditActionNames]).withDefault('all'),
  search: parseAsSearch(maxAuditSearch),
  from: parseAsDate,
  to: parseAsDate,
  student: parseAsString.withDefault(''),
  cursor: parseAsText((text) => (/^\d+\.[\da-f-]{36}$/.test(text) ? text : null)),
  entry: parseAsString.withDefault(''),
}

export type AuditAddress = inferParserType<typeof parsers>

export const auditAddress = createAddress(tabPath('audit'), parsers)
