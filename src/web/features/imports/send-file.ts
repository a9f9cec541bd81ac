import type { ImportDetails } from '#shared/imports.ts'
import { ApiProblem, connectionProblem, isProblem } from '#web/lib/api-problem.ts'
import { endSession } from '#web/lib/session-end.ts'

interface Sending {
  /** Settles with the import that the server made of the file. */
  done: Promise<Pick<ImportDetails, 'id'>>
  cancel: () => void
}

/**
 * Sends a file to be imported. By XMLHttpRequest, because `fetch` doesn't tell how much has gone.
 *
 * @param onProgress is told the part that has gone, from 0 to 1
 */
export function sendFile(file: File, onProgress: (part: number) => void): Sending {
  const request = new XMLHttpRequest()
  const done = new Promise<Pick<ImportDetails, 'id'>>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress(loaded / total)
    })
    request.addEventListener('load', () => {
      const body: unknown = request.response
      if (request.status === 201 && isImport(body)) return resolve(body)
      if (request.status === 401) endSession()
      reject(isProblem(body) ? new ApiProblem(body) : connectionProblem(request.status))
    })
    for (const event of ['error', 'timeout', 'abort']) {
      request.addEventListener(event, () => reject(connectionProblem(event)))
    }
  })
  request.open('POST', `/api/imports?${new URLSearchParams({ fileName: file.name })}`)
  request.setRequestHeader('Content-Type', 'application/octet-stream')
  request.responseType = 'json'
  request.send(file)
  return { done, cancel: () => request.abort() }
}

function isImport(body: unknown): body is Pick<ImportDetails, 'id'> {
  return typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string'
}
