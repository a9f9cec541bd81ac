import * as z from 'zod/mini'
import { shapeError } from '#shared/field-rules.ts'
import { line, textMessages } from '#shared/form-text.ts'
import { isMailAddress, trimAddress } from '#shared/mail/mail-address.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { levels } from '#shared/terms/terms.ts'
import { type Role, roles } from './permissions.ts'

const personLimits = { displayName: 100, email: 254, sections: 100 } as const

const days = new Intl.DateTimeFormat('en-US', {
  ...({ year: 'numeric', month: 'short', day: 'numeric' } as const),
  timeZone: 'UTC',
})

/** 'Dec 19, 2026' of '2026-12-19'. */
const dayText = (date: string) => days.format(Date.parse(`${date}T00:00:00Z`))

export const personMessages = {
  email: 'Please enter a valid email address.',
  emailTaken:
    'Another person has this email address. An address stays with its account, also after it has ended.',
  role: 'Please choose a role.',
  component: 'Please choose one of the listed components.',
  noComponents: 'Only coordinators and assistants can be limited to components.',
  date: 'Please enter the last day as a date.',
  datePast: 'Please choose today or a later day.',
  dateRequired: 'Please enter the last day: the account of an assistant or a facilitator must have one.',
  dateBeyond: (endsOn: string) => `Please choose ${dayText(endsOn)} or an earlier day: the term ends then.`,
  sections: `Please choose ${personLimits.sections} sections or fewer.`,
  sectionGone: 'One of these sections isn’t of the open term. Please look at them again.',
  noSections: 'Only facilitators have sections.',
  phoneNumbers: 'Please send true to show phone numbers, or false.',
  noPhoneNumbers: 'This can be allowed to facilitators only.',
  noTerm: 'No term is open. Please open one first: the account of a facilitator ends with it at the latest.',
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

/** The roles whose accounts end with a day that is known before. */
export const endingRoles: readonly Role[] = ['assistant', 'facilitator']

const displayName = line('name', personLimits.displayName)

const scope = {
  role: z.enum(roles, personMessages.role),
  // An empty list means all components.
  components: z.array(z.enum(nstpComponents, personMessages.component), personMessages.component),
  // The day in the office's time zone after which the account has ended.
  expiresOn: z.nullable(
    z.iso.date(personMessages.date).check(z.refine((date) => date < '2200', personMessages.date)),
  ),
  // A facilitator's sections of the open term, each once. An empty list means none.
  sectionIds: z.array(z.uuid(personMessages.sections), personMessages.sections).check(
    z.maxLength(personLimits.sections, personMessages.sections),
    z.overwrite((ids) => [...new Set(ids)].sort()),
  ),
  seesPhoneNumbers: z.boolean(personMessages.phoneNumbers),
}

interface Scope {
  role: Role
  sectionIds: readonly string[]
  seesPhoneNumbers: boolean
  components: readonly string[]
  expiresOn: string | null
}

const givenScope = z.object({ role: z.enum(roles), components: z.array(z.unknown()) })

// These rules are checked even if other fields have problems.
const when = ({ value }: { value: unknown }) => z.safeParse(givenScope, value).success

const givenSections = z.object({ role: z.enum(roles), sectionIds: z.array(z.unknown()) })

const rules = [
  z.refine<Scope>(({ role, components }) => components.length === 0 || limitableRoles.includes(role), {
    path: ['components'],
    error: personMessages.noComponents,
    when,
  }),
  z.refine<Scope>(({ role, expiresOn }) => !endingRoles.includes(role) || expiresOn !== null, {
    path: ['expiresOn'],
    error: personMessages.dateRequired,
    when,
  }),
  z.refine<Scope>(({ role, expiresOn }) => role !== 'administrator' || expiresOn === null, {
    path: ['expiresOn'],
    error: personMessages.dateRefused,
    when,
  }),
  z.refine<Scope>(({ role, sectionIds }) => sectionIds.length === 0 || role === 'facilitator', {
    path: ['sectionIds'],
    error: personMessages.noSections,
    when: ({ value }) => z.safeParse(givenSections, value).success,
  }),
  z.refine<Scope>(({ role, seesPhoneNumbers }) => !seesPhoneNumbers || role === 'facilitator', {
    path: ['seesPhoneNumbers'],
    error: personMessages.noPhoneNumbers,
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
export const newPersonSchema = z
  .strictObject(
    {
      ...{ displayName, email, ...scope },
      sectionIds: z._default(scope.sectionIds, []),
      seesPhoneNumbers: z._default(scope.seesPhoneNumbers, false),
    },
    shape,
  )
  .check(...rules)

export type NewPerson = z.output<typeof newPersonSchema>

// An edit has no defaults: one that leaves the sections out would take them away.
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
  // Only sections of the open term.
  sectionIds: z.array(z.string()),
  seesPhoneNumbers: z.boolean(),
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

// The sections that a facilitator can have.
const openSectionSchema = z.object({
  id: z.string(),
  component: z.enum(nstpComponents),
  level: z.literal(levels),
  label: z.string(),
})

export type OpenSection = z.output<typeof openSectionSchema>

export const peopleSchema = z.object({
  items: z.array(personSchema),
  sections: z.array(openSectionSchema),
  // The last day of the open term, null without one. The account of a facilitator ends with it at the latest.
  termEndsOn: z.nullable(z.string()),
})

export type People = z.output<typeof peopleSchema>

// The password is shown only now.
export const madePersonSchema = z.object({ person: personSchema, password: z.string() })

export const madePasswordSchema = z.object({ password: z.string() })
