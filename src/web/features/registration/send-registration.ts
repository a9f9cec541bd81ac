import { hc } from 'hono/client'
import type { Api } from '#server/api.ts'
import type { RegistrationBody, RegistrationOffer, RegistrationReceipt } from '#shared/registration.ts'
import { callApi } from '#web/lib/api.ts'
import { ApiProblem, connectionProblem, problemOfResponse } from '#web/lib/api-problem.ts'
import { registrationSentences } from './registration-sentences.ts'

/** A form of 3 kB over a signal that comes and goes: longer than other calls get. In milliseconds. */
const timeoutMs = 30_000

const sentences = {
  late: 'The server did not answer in time. Please try again: your registration will not be made twice.',
}

const api = hc<Api>('/api', { fetch: fetchPatiently })

/**
 * Sends a registration. Sent again with the same key it makes no second record.
 *
 * @throws ApiProblem whose message is the sentence to show; status 0 when no answer came
 */
export function sendRegistration(body: RegistrationBody, key: string): Promise<RegistrationReceipt> {
  return callApi(api.registrations.$post({ json: body, header: { 'idempotency-key': key } }))
}

/**
 * What can be chosen now: lists may have changed since the form was opened.
 *
 * @throws ApiProblem
 */
export function readOffer(): Promise<RegistrationOffer> {
  return callApi(api.registrations.offer.$get())
}

async function fetchPatiently(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  try {
    const response = await fetch(input, { ...init, signal: controller.signal })
    if (!response.ok) throw await problemOfResponse(response)
    return response
  } catch (error) {
    throw error instanceof ApiProblem ? error : noAnswer(error, controller.signal.aborted)
  } finally {
    clearTimeout(timer)
  }
}

function noAnswer(cause: unknown, isLate: boolean): ApiProblem {
  const { problem } = connectionProblem(cause)
  if (!navigator.onLine)
    return new ApiProblem({ ...problem, detail: registrationSentences.offline }, { cause })
  return new ApiProblem(isLate ? { ...problem, detail: sentences.late } : problem, { cause })
}
