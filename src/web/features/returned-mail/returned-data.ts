export interface ReturnedMailData {
  items: readonly string[]
}

export async function loadReturnedMail(_url: URL, _signal: AbortSignal): Promise<ReturnedMailData> {
  return { items: [] }
}
