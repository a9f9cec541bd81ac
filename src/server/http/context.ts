import type { HttpBindings } from '@hono/node-server'
import type { SecureHeadersVariables } from 'hono/secure-headers'
import type { Logger } from 'pino'

/** The signed-in administrator of a request. */
export interface SignedInAdmin {
  id: string
  email: string
  displayName: string
}

/** The API token that a program shows. */
export interface ShownToken {
  id: string
  name: string
}

/** What routes count by themselves; `rateLimits` has the numbers. */
export type RouteLimit = 'registration' | 'refusedRegistration' | 'signIn' | 'optOut'

/** What every request carries, set by the middleware in this folder. */
export interface RequestVariables extends SecureHeadersVariables {
  requestId: string
  /** The caller's network address, for limits only: it is never logged. */
  clientAddress: string
  log: Logger
  /** Set while an answer is made that others will get too: it may hold nothing of this request. */
  forEverybody?: { isSpoilt: boolean }
  /** Counts the request against a limit of its sender. @throws AppError `too_many_requests` beyond it */
  takePoint: (limit: RouteLimit) => Promise<void>
  /** Refunds the point when the server failed. */
  givePointBack: (limit: RouteLimit) => Promise<void>
  /** Looks the session up once, at the first call. */
  readAdmin: () => Promise<SignedInAdmin | null>
  /** Looks the API token that the request shows up once, at the first call; null without a good one. */
  readShownToken: () => Promise<ShownToken | null>
  /** The token that opened this call, set by `requireMailer()`. */
  actingToken?: ShownToken
  /** Tells the audit trail that nobody is signed in who may do this. */
  noteAccessRefused: (path: string) => Promise<void>
}

export interface AppEnv {
  // Absent when the app is called without a server, as the OpenAPI writer does.
  Bindings: Partial<HttpBindings> & {
    /** A page's call of the API within the process. */
    isInProcess?: true
  }
  Variables: RequestVariables
}
