import { ApiProblem, connectionProblem, isProblem } from './api-problem.ts'
import { endSession, resumeSession } from './session-end.ts'

interface FormRequest<T> {
  method: 'POST' | 'PUT' | 'PATCH'
  path: string
  /** A form with files, or one file as the body itself. */
  body: FormData | Blob
  headers?: Record<string, string>
  /** Takes what is needed from the answer; undefined when it isn't there. */
  read: (answer: unknown) => T | undefined
  /** Is told the part that has gone, from 0 to 1. */
  onProgress: (part: number) => void
}

export interface Sending<T> {
  /** @throws ApiProblem */
  done: Promise<T>
  cancel: () => void
}

/** Sends files. By XMLHttpRequest, because `fetch` doesn't tell how much has gone. */
export function sendForm<T>({
  method,
  path,
  body,
  headers = {},
  read,
  onProgress,
}: FormRequest<T>): Sending<T> {
  const request = new XMLHttpRequest()
  const done = new Promise<T>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress(loaded / total)
    })
    request.addEventListener('load', () => {
      const answer: unknown = request.response
      const wanted = request.status >= 200 && request.status < 300 ? read(answer) : undefined
      if (wanted !== undefined) {
        resumeSession()
        return resolve(wanted)
      }
      const problem = isProblem(answer) ? new ApiProblem(answer) : connectionProblem(request.status)
      if (request.status === 401 && endSession(problem)) return
      reject(problem)
    })
    for (const event of ['error', 'timeout', 'abort']) {
      request.addEventListener(event, () => reject(connectionProblem(event)))
    }
  })
  request.open(method, path)
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.responseType = 'json'
  request.send(body)
  return { done, cancel: () => request.abort() }
}
