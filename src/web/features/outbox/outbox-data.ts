export interface OutboxData {
  items: readonly string[]
}

export async function loadOutbox(_url: URL, _signal: AbortSignal): Promise<OutboxData> {
  return { items: [] }
}
