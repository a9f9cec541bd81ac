import type { ImportDetails } from '#shared/imports.ts'
import { type Sending, sendForm } from '#web/lib/send-form.ts'

/**
 * Sends a file to be imported; settles with the import that the server made of it.
 *
 * @param onProgress is told the part that has gone, from 0 to 1
 */
export function sendFile(file: File, onProgress: (part: number) => void): Sending<Pick<ImportDetails, 'id'>> {
  return sendForm({
    method: 'POST',
    path: `/api/imports?${new URLSearchParams({ fileName: file.name })}`,
    body: file,
    headers: { 'Content-Type': 'application/octet-stream' },
    read: (answer) => (isImport(answer) ? answer : undefined),
    onProgress,
  })
}

function isImport(body: unknown): body is Pick<ImportDetails, 'id'> {
  return typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string'
}
