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

/** Now, in ISO, by the clock of the phone as the last contact corrects it. */
export const correctedTime = () => new Date(Date.now() + (Number(offset.read()) || 0)).toISOString()
