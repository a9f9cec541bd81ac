import type { InferResponseType } from 'hono/client'
import type { RouterContextProvider } from 'react-router'
import { receiptCookieName } from '#shared/registration/registration.ts'
import { callApi, serverApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'

/** The receipt's cookie, with the prefix that it has over https. */
const receiptCookie = new RegExp(`(?:^|;\\s*)(?:__Host-)?${receiptCookieName}=[^;\\s]`)

type Receipt = InferResponseType<ReturnType<typeof serverApi>['registrations']['receipt']['$get'], 200>

/** Makes no call for a visitor without the cookie. */
export async function readReceipt(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<Receipt | null> {
  if (!receiptCookie.test(request.headers.get('Cookie') ?? '')) return null
  try {
    return await callApi(serverApi(context, request).registrations.receipt.$get())
  } catch (error) {
    if (error instanceof ApiProblem && error.problem.code === 'not_found') return null
    throw error
  }
}

/** Null on failure: the page works without it. */
export async function readReference(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<string | null> {
  try {
    return (await readReceipt(context, request))?.reference ?? null
  } catch (error) {
    if (error instanceof ApiProblem) return null
    throw error
  }
}
