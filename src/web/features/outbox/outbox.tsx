import type { OutboxData } from './outbox-data.ts'

export function Outbox(_props: { data: OutboxData | null; failed: boolean }) {
  return null
}
