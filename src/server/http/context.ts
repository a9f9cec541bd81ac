import type { HttpBindings } from '@hono/node-server'
import type { SecureHeadersVariables } from 'hono/secure-headers'
import type { Logger } from 'pino'
import type { Access } from '#server/lib/access.ts'
import type { Actor, Staff } from '#server/lib/actor.ts'
import type { NoteRefusal } from '#server/lib/audit.ts'
import type { SetUp } from '#shared/auth/session.ts'
import type { AccountScope } from '#shared/people/permissions.ts'

export interface SignedInAdmin extends AccountScope {
  id: string
  email: string
  displayName: string
}

export interface RecordCounts {
  /**
   * @param records their ids, of which those that this session read within the hour count no second time; or a number
   * @returns false when this session has read or removed too many for one without a fresh sign-in
   */
  takeRecords: (records: number | readonly string[]) => Promise<boolean>
  takeRemovals: (count: number) => Promise<boolean>
  /** Call it after records were removed: administrators get one mail when they become many. */
  noteRemovals: (count: number, actor: Actor) => Promise<void>
}

export interface SessionAdmin extends SignedInAdmin, RecordCounts {
  // What must be set up before anything else is open: a password in place of a generated one, or a required second factor.
  mustSetUp: SetUp | null
  // The last instant to set up a second factor; null while none is required, and once it is on.
  secondFactorDue: Date | null
  // The session ends then unless it is used again.
  endsAt: Date
  // The password was given within the last minutes.
  isFresh: boolean
}

/** The session of a student at /my. */
export interface StudentSession {
  studentId: string
  tokenHash: Buffer
  // Whether the second step was made: before it, a session shows words alone.
  isOpened: boolean
}

export interface BearerToken {
  id: string
  ownerId: string
  name: string
  // The domain that recipients must have; '' for every domain.
  domain: string
  // Whether the account that made the token has nothing open at present.
  isHeld: boolean
  /** @returns false when the messages of today are used up */
  take: (count: number) => Promise<boolean>
}

export interface RequestVariables extends SecureHeadersVariables {
  requestId: string
  // The client's address, for limits only: it is never logged.
  clientAddress: string
  log: Logger
  // Set while a cacheable response is made: it must not contain data of this request.
  cacheable?: { isPersonal: boolean }
  // What rate limits count by; absent where they are off.
  sender?: string
  // What shares of the process are counted by: as `sender`, but an IPv6 network of 48 bits.
  holder?: string
  // Whether the browser signed in here before. `sender` is then its cookie.
  isKnownBrowser: boolean
  // Whether the address is in one of SCHOOL_NETWORKS.
  isOfSchool: boolean
  // Looked up at the first call, once a request.
  readAdmin: () => Promise<SessionAdmin | null>
  // Looked up at the first call, once a request; null without a valid token.
  readBearerToken: () => Promise<BearerToken | null>
  // Looked up at the first call, once a request.
  readStudent: () => Promise<StudentSession | null>
  noteRefusal: NoteRefusal
  // Set by the guards, so in their routes only.
  actor: Staff
  access: Access
  // Set by requireStaff.
  admin: SessionAdmin
  // Set by requireStudent.
  student: StudentSession
}

export interface AppEnv {
  // Absent when the app is called without a server, as the OpenAPI writer does.
  Bindings: Partial<HttpBindings> & {
    isInProcess?: true
  }
  Variables: RequestVariables
}
