import * as z from 'zod/mini'
import { shapeError } from '#shared/field-rules.ts'
import { line, textMessages } from '#shared/form-text.ts'
import { isMailAddress, trimAddress } from '#shared/mail/mail-address.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { type Role, roles } from './permissions.ts'

const personLimits = { displayName: 100, email: 254 } as const

export const personMessages = {
  email: 'Please enter a valid email address.',
  emailTaken:
    'Another person has this email address. An address stays with its account, also after it has ended.',
  role: 'Please choose a role.',
  component: 'Please choose one of the listed components.',
  noComponents: 'Only coordinators and assistants can be limited to components.',
  date: 'Please enter the last day as a date.',
  datePast: 'Please choose today or a later day.',
  dateRequired: 'Please enter the last day: the account of an assistant must have one.',
  dateRefused: 'The account of an administrator has no last day. Please leave it empty.',
  isDisabled: 'Please send true to end the account, or false.',
  ownRole: 'You can’t change your own role.',
  ownComponents: 'You can’t change your own components.',
  ownLastDay: 'You can’t change your own last day.',
  ownEnd: 'You can’t end your own account.',
  lastAdministrator: 'At least one administrator must remain.',
  own: 'You can do this for your own account in Profile Settings.',
  missing: 'This person could not be found.',
} as const

export const limitableRoles: readonly Role[] = ['coordinator', 'assistant']

const displayName = line('name', personLimits.displayName)

const scope = {
  role: z.enum(roles, personMessages.role),
  // An empty list means all components.
  components: z.array(z.enum(nstpComponents, personMessages.component), personMessages.component),
  // The day in the office's time zone after which the account has ended.
  expiresOn: z.nullable(
    z.iso.date(personMessages.date).check(z.refine((date) => date < '2200', personMessages.date)),
  ),
}

interface Scope {
  role: Role
  components: readonly string[]
  expiresOn: string | null
}

const givenScope = z.object({ role: z.enum(roles), components: z.array(z.unknown()) })

// These rules are checked even if other fields have problems.
const when = ({ value }: { value: unknown }) => z.safeParse(givenScope, value).success

const rules = [
  z.refine<Scope>(({ role, components }) => components.length === 0 || limitableRoles.includes(role), {
    path: ['components'],
    error: personMessages.noComponents,
    when,
  }),
  z.refine<Scope>(({ role, expiresOn }) => role !== 'assistant' || expiresOn !== null, {
    path: ['expiresOn'],
    error: personMessages.dateRequired,
    when,
  }),
  z.refine<Scope>(({ role, expiresOn }) => role !== 'administrator' || expiresOn === null, {
    path: ['expiresOn'],
    error: personMessages.dateRefused,
    when,
  }),
] as const

const shape = shapeError('Please send one person.')

const email = z
  .string(textMessages.notText('email address'))
  .check(
    z.overwrite(trimAddress),
    z.maxLength(personLimits.email, textMessages.tooLong('email address', personLimits.email)),
    z.refine(isMailAddress, personMessages.email),
  )

// The fields are in the order of the form, where the first problem gets the focus.
export const newPersonSchema = z.strictObject({ displayName, email, ...scope }, shape).check(...rules)

export type NewPerson = z.output<typeof newPersonSchema>

export const personEditSchema = z
  .strictObject({ displayName, ...scope, isDisabled: z.boolean(personMessages.isDisabled) }, shape)
  .check(...rules)

export type PersonEdit = z.output<typeof personEditSchema>

export const personSchema = z.object({
  id: z.string(),
  displayName: z.string(),
  email: z.string(),
  role: z.enum(roles),
  components: z.array(z.enum(nstpComponents)),
  expiresOn: z.nullable(z.string()),
  disabledAt: z.nullable(z.string()),
  lastSignInAt: z.nullable(z.string()),
  hasSecondFactor: z.boolean(),
  // Set once two-factor sign-in is required, also after it is on.
  secondFactorDue: z.nullable(z.string()),
  // The password is the one that was made for them.
  mustChangePassword: z.boolean(),
  version: z.int(),
})

export type Person = z.output<typeof personSchema>

export const peopleSchema = z.object({ items: z.array(personSchema) })

// The password is shown only now.
export const madePersonSchema = z.object({ person: personSchema, password: z.string() })

export const madePasswordSchema = z.object({ password: z.string() })
