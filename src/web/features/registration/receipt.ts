import type { InferResponseType } from 'hono/client'
import type { RouterContextProvider } from 'react-router'
import { receiptCookieName } from '#shared/registration/consent.ts'
import { type api, callApi, orNull, serverApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { hasCookie } from '#web/lib/session.ts'

type Receipt = InferResponseType<ReturnType<typeof serverApi>['registrations']['receipt']['$get'], 200>

/** Makes no call for a visitor without the cookie. */
export async function readReceipt(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<Receipt | null> {
  if (!hasCookie(request, receiptCookieName)) return null
  return await orNull(callApi(serverApi(context, request).registrations.receipt.$get()))
}

/** Null on failure: the page works without it. */
export async function readReference(context: Readonly<RouterContextProvider>, request: Request) {
  try {
    return (await readReceipt(context, request))?.reference ?? null
  } catch (error) {
    if (error instanceof ApiProblem) return null
    throw error
  }
}

export type UpcomingEvent = Awaited<ReturnType<typeof readUpcoming>>[number]

/** None on failure: the receipt works without them. */
export async function readUpcoming({ announcements }: Pick<typeof api, 'announcements'>) {
  try {
    const { items } = await callApi(announcements.upcoming.$get())
    return items.map(({ id, title, eventAt, place }) => ({ id, title, eventAt, place }))
  } catch (error) {
    if (error instanceof ApiProblem) return []
    throw error
  }
}
