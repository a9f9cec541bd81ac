import { ApiProblem, connectionProblem, isProblem } from './api-problem.ts'
import { endSession, resumeSession } from './session-end.ts'

interface FormRequest<T> {
  method: 'POST' | 'PUT' | 'PATCH'
  path: string
  body: FormData | Blob
  headers?: Record<string, string>
  /** Undefined when the answer lacks it. */
  read: (answer: unknown) => T | undefined
  onProgress: (part: number) => void
}

export interface Sending<T> {
  /** @throws ApiProblem */
  done: Promise<T>
  cancel: () => void
}

/** XMLHttpRequest: `fetch` doesn't report upload progress. */
export function sendForm<T>(options: FormRequest<T>): Sending<T> {
  const { method, path, body, headers = {}, read, onProgress } = options
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

export type RecordTarget = { id: string; version: number } | null

interface RecordForm<T> {
  collection: string
  target: RecordTarget
  body: FormData
  read: (answer: unknown) => T | undefined
  onProgress: (part: number) => void
}

/** Refused when the record was changed since `version`. */
export function sendRecord<T>({ collection, target, ...form }: RecordForm<T>): Sending<T> {
  if (target === null) return sendForm({ ...form, method: 'POST', path: collection })
  return sendForm({
    ...form,
    method: 'PATCH',
    path: `${collection}/${target.id}`,
    headers: { 'If-Match': `"${target.version}"` },
  })
}

export function sentId(answer: unknown): string | undefined {
  const isRecord = typeof answer === 'object' && answer !== null && 'id' in answer
  return isRecord && typeof answer.id === 'string' ? answer.id : undefined
}
