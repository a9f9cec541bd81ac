import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { formOfParts, part } from '#tests/factories/hostile-uploads.ts'

/** Adds an announcement with an attachment of random bytes, about as large as one may be. */
export async function addAttachment(
  url: string,
  cookie: string,
): Promise<{ status: number; path: string | undefined }> {
  const { body, contentType } = formOfParts(
    part('name="attachment"; filename="a.bin"', randomBytes(9_900_000)),
  )
  const answer = await fetch(`${url}/api/announcements`, {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': contentType },
    body: new Uint8Array(body),
  })
  const { attachmentUrl }: { attachmentUrl?: string } = await answer.json()
  return { status: answer.status, path: attachmentUrl }
}

/**
 * Asks for a file and reads only the beginning of the answer.
 * @returns the connection and the first line of the answer
 */
export async function beginReading(url: string, path: string): Promise<{ socket: Socket; line: string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  // It is cut from the other side.
  socket.on('error', () => socket.destroy())
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [head] = await once(socket, 'data')
  socket.pause()
  return { socket, line: String(head).split('\r\n', 1)[0] ?? '' }
}
