import type { ReturnedMailData } from './returned-data.ts'

export function ReturnedMail(_props: { data: ReturnedMailData | null; failed: boolean }) {
  return null
}
