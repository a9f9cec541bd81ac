export interface BulkEmailsData {
  items: readonly string[]
}

export async function loadBulkEmails(_url: URL, _signal: AbortSignal): Promise<BulkEmailsData> {
  return { items: [] }
}
