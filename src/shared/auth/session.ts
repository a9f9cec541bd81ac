import * as z from 'zod/mini'
import { roles } from '#shared/people/permissions.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { fieldClasses } from '#shared/students/student-fields.ts'
import { accountEnded } from './account.ts'

// Product 7.2.
export const signInMessages = {
  required: (field: 'email' | 'password') => `Please fill in the ${field} field.`,
  tooLong: (field: 'email' | 'password', max: number) =>
    `Please shorten the ${field} to ${max} characters or fewer.`,
  wrong: 'Invalid email or password',
  ended: `${accountEnded} Please ask the NSTP office.`,
  keepNoChoice: 'Please send true to stay signed in on this device, or false.',
  codeNoText: 'Please enter the code as text, with at most 64 characters.',
}

const maxEmail = 254
// Limits the cost of hashing.
const maxPassword = 1000
const maxCode = 64

// Security: the address is not validated, so that all failures get the same answer.
export const signInSchema = z.object({
  email: z
    .string({ error: signInMessages.required('email') })
    .check(
      z.trim(),
      z.minLength(1, signInMessages.required('email')),
      z.maxLength(maxEmail, signInMessages.tooLong('email', maxEmail)),
    ),
  // Not trimmed: spaces belong to a passphrase.
  password: z
    .string({ error: signInMessages.required('password') })
    .check(
      z.minLength(1, signInMessages.required('password')),
      z.maxLength(maxPassword, signInMessages.tooLong('password', maxPassword)),
    ),
  // Asked for only where two-factor sign-in is on: an authenticator app's code, or a recovery code.
  code: z.optional(
    z
      .string({ error: signInMessages.codeNoText })
      .check(z.trim(), z.maxLength(maxCode, signInMessages.codeNoText)),
  ),
  // The session outlives the browser.
  keepSignedIn: z.optional(z.boolean({ error: signInMessages.keepNoChoice })),
})

export type SignIn = z.output<typeof signInSchema>

const sessionUserSchema = z.object({
  id: z.uuid(),
  displayName: z.string(),
  email: z.string(),
  // Everybody of the office.
  isAdmin: z.literal(true),
  role: z.enum(roles),
  // An empty list means all components.
  components: z.array(z.enum(nstpComponents)),
  classes: z.array(z.enum(fieldClasses)),
  // Nothing else is open before.
  mustSetUp: z.optional(z.enum(['password', 'second factor'])),
  // An instant: a second factor is required from then on, and not on yet.
  secondFactorDue: z.optional(z.string()),
})

export const sessionSchema = z.object({ user: z.nullable(sessionUserSchema), adminEmail: z.string() })

export const signedInSchema = z.object({ user: sessionUserSchema })

export type SessionUser = z.output<typeof sessionUserSchema>

export type SetUp = NonNullable<SessionUser['mustSetUp']>
