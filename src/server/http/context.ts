import type { HttpBindings } from '@hono/node-server'
import type { SecureHeadersVariables } from 'hono/secure-headers'
import type { Logger } from 'pino'

export interface SignedInAdmin {
  id: string
  email: string
  displayName: string
}

export interface BearerToken {
  id: string
  name: string
}

export type RouteLimit = 'registration' | 'refusedRegistration' | 'signIn' | 'optOut'

export interface RequestVariables extends SecureHeadersVariables {
  requestId: string
  // For limits only: never logged.
  clientAddress: string
  log: Logger
  // Set while a cacheable response is made: it must not contain data of this request.
  cacheable?: { isPersonal: boolean }
  /**
   * Counts the request against a limit of its sender.
   * @throws AppError `too_many_requests` beyond it
   */
  takePoint: (limit: RouteLimit) => Promise<void>
  /** Refunds the point when the server failed. */
  givePointBack: (limit: RouteLimit) => Promise<void>
  // Looked up at the first call, once a request.
  readAdmin: () => Promise<SignedInAdmin | null>
  // Looked up at the first call, once a request; null without a valid token.
  readBearerToken: () => Promise<BearerToken | null>
  actingToken?: BearerToken
  noteAccessRefused: (path: string) => Promise<void>
}

export interface AppEnv {
  // Absent when the app is called without a server, as the OpenAPI writer does.
  Bindings: Partial<HttpBindings> & {
    isInProcess?: true
  }
  Variables: RequestVariables
}
