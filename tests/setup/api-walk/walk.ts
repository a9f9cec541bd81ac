import type { Role } from '#shared/people/permissions.ts'
import type { createAdminClient } from '../admin-client.ts'
import type { MailSink } from '../mail-sink.ts'
import type { TestServer } from '../test-server.ts'

export interface Call {
  /** In the place of {id}, {code} or {name}; a number comes behind it. */
  id?: string | undefined
  query?: Record<string, string>
  body?: object
  /** A file. */
  bytes?: Blob | string
  /** A form with files. */
  form?: Record<string, string | Blob>
  version?: number | undefined
  /** Idempotency-Key. */
  key?: string | undefined
  /** Another process and another session than the walk's. */
  elsewhere?: { url: string; cookie: string }
}

/** Sends a call, or something before and after it. The answer it gives is read by the walk. */
export type Around = (route: string, call: Call, send: (call: Call) => Promise<Response>) => Promise<Response>

/** What the walk reads of the answers. */
export interface Answer {
  id: string
  version: number
  basis: string
  batchId: string
  code: string
  count: number
  state: string
  password: string
  secret: string
  progress: object | null
  recoveryCodes: string[]
  items: Answer[]
  columns: { guess: string | null }[]
  days: { id: string }[]
  sections: { sectionId: string | null; students: number; called: number; later: number }[]
  person: Answer
  account: Answer
  nightly: Answer
  devices: Answer[]
  certificates: Answer[]
  hasValues: boolean
}

export type Act = (route: string, call?: Call) => Promise<Answer>

export interface Walk {
  act: Act
  /** With another session; with none, of a visitor. */
  actAs: (cookie: string) => Act
  /** By the account alone: what it may not read is refused. */
  read: (route: string, call: Call) => Promise<void>
  role: Role
  server: TestServer
  sink: MailSink
  office: ReturnType<typeof createAdminClient>
  /** Terms and papers of one year: each walk has its own. */
  academicYear: string
  // Part of the names and addresses that must differ.
  mark: string
}

/** By the beginning of a path: an id that there is, and what a list needs. */
export interface Reads {
  id: Record<string, string>
  query: Record<string, Record<string, string>>
}

export const day = '2026-11-20'
export const component = 'CWTS'
