import type { AuditPage } from '#shared/audit/audit-response.ts'
import { api, callApi } from '#web/lib/api.ts'
import { type AuditAddress, readAuditAddress } from './audit-query.ts'

export interface AuditData {
  address: AuditAddress
  page: AuditPage
}

/** @throws ApiProblem */
export async function loadAudit(params: URLSearchParams, signal: AbortSignal): Promise<AuditData> {
  const address = readAuditAddress(params)
  const { entry: _entry, ...query } = address
  return { address, page: await callApi(api.audit.$get({ query }, { init: { signal } })) }
}
