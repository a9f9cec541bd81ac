import { calendarDateOf } from '#shared/program-calendar.ts'
import { createStoredText } from '#web/lib/stored-text.ts'

/* A phone's clock may be wrong by hours: the server's time at the last contact says by how much. */

// In ms, also for a page that is opened without a network.
const offset = createStoredText('nstp-clock-offset')

/** Notes the server's time in an answer. */
export async function noteContact<Answer extends { headers: Headers }>(
  asked: Promise<Answer>,
): Promise<Answer> {
  const answer = await asked
  const serverTime = Date.parse(answer.headers.get('Date') ?? '')
  if (!Number.isNaN(serverTime)) offset.write(String(serverTime - Date.now()))
  return answer
}

/** The server's time. @param at in ms, by the phone's clock, which the last contact corrects */
const correctedAt = (at: number) => new Date(at + (Number(offset.read()) || 0))

/** Now, in ISO. */
export const correctedTime = () => correctedAt(Date.now()).toISOString()

/** The day of a time by the phone's clock. The phone's own time zone may be wrong as well. */
export const correctedDay = (at: number, timeZone: string) => calendarDateOf(correctedAt(at), timeZone)
