import { useRef, useState } from 'react'
import type { Location } from 'react-router'
import { type Role, roleNames, roles } from '#shared/people/permissions.ts'
import {
  limitableRoles,
  newPersonSchema,
  type Person,
  personEditSchema,
  personMessages,
} from '#shared/people/person.ts'
import type { FieldError } from '#shared/problem.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { FieldErrorText, isHalfTyped, RequiredMark, TextField } from '#web/components/field.tsx'
import { type EditForm, Form, problemsOfSchema, useEditForm } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { ShownOnce } from '#web/components/shown-once.tsx'
import { Loading } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { tabOf } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { adminPath } from '#web/lib/next-path.ts'
import { useReadAgain } from '#web/lib/query.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { newPerson, peopleAddress, readPeople } from './data.ts'

interface PersonPanelProps {
  /** The person in the address: an id, or `newPerson`. */
  opened: string | null
  people: readonly Person[] | undefined
  own: Person | undefined
  onClose: () => void
}

export function PersonPanel({ opened, people, own, onClose }: PersonPanelProps) {
  return (
    <ModalOf
      thing={opened}
      onClose={onClose}
      size="side"
      title={(id) => (id === newPerson ? 'Add a person' : 'Edit person')}
    >
      {(id) => {
        const stored = people?.find((person) => person.id === id) ?? null
        if (id === newPerson || stored) {
          return <PersonForm stored={stored} isOwn={stored !== null && stored === own} onClose={onClose} />
        }
        if (people) return <ErrorBanner message={personMessages.missing} />
        return <Loading what="the person" lines={4} className="h-14" />
      }}
    </ModalOf>
  )
}

interface FirstPasswordProps {
  name: string
  password: string
  onDone: () => void
}

export function FirstPassword({ name, password, onDone }: FirstPasswordProps) {
  return (
    <ShownOnce
      title={`Give this password to ${name}.`}
      hint="It is shown only now and must be changed within 7 days."
      what="Password"
      secret={password}
      onDone={onDone}
    />
  )
}

interface PersonValues {
  displayName: string
  email: string
  role: Role | ''
  components: NstpComponent[]
  expiresOn: string
}

const labels: Record<keyof PersonValues, string> = {
  displayName: 'Name',
  email: 'E-mail',
  role: 'Role',
  components: 'Components',
  expiresOn: 'Last day',
}

interface PersonFormProps {
  stored: Person | null
  isOwn: boolean
  onClose: () => void
}

function PersonForm({ stored, isOwn, onClose }: PersonFormProps) {
  const readAgain = useReadAgain('people')
  // What is stored now: its end is not one of the fields.
  const latest = useRef(stored)
  const [password, setPassword] = useState<string | null>(null)
  const form = useEditForm<PersonValues, string | null>({
    values: valuesOf(stored),
    problemsOf: (values) => problemsOf(values, stored === null),
    staysOpen: ({ search }) => peopleAddress.read(search).person === (stored?.id ?? newPerson),
    record: stored
      ? {
          what: 'person',
          version: stored.version,
          labelOf: (name) => labels[name],
          textOf,
          async read() {
            const now = (await readPeople()).find(({ id }) => id === stored.id)
            if (!now) throw new Error(personMessages.missing)
            latest.current = now
            return { values: valuesOf(now), version: now.version }
          },
        }
      : undefined,
    async send(values, { version, changed }) {
      if (!stored) {
        const json = newPersonSchema.parse({ ...bodyOf(values), email: values.email })
        return (await callApi(api.people.$post({ json }))).password
      }
      if (changed.length === 0) return null
      const isDisabled = latest.current !== null && latest.current.disabledAt !== null
      await callApi(
        api.people[':id'].$patch({
          param: { id: stored.id },
          header: { 'if-match': `"${version}"` },
          json: personEditSchema.parse({ ...bodyOf(values), isDisabled }),
        }),
      )
      showToast({ type: 'success', message: 'Changes saved' })
      return null
    },
    onSaved(made) {
      void readAgain()
      if (made === null) onClose()
      else setPassword(made)
    },
  })
  if (password !== null) {
    return <FirstPassword name={form.values.displayName.trim()} password={password} onDone={onClose} />
  }
  return (
    <Form form={form} closesTo={isClosed}>
      <PersonFields form={form} stored={stored} isOwn={isOwn} />
      <FormFoot form={form} label={stored ? 'Save changes' : 'Add person'} onCancel={onClose} />
    </Form>
  )
}

function isClosed({ pathname, search }: Location): boolean {
  return pathname === adminPath && tabOf(search) === 'people' && peopleAddress.read(search).person === null
}

function valuesOf(person: Person | null): PersonValues {
  return {
    displayName: person?.displayName ?? '',
    email: person?.email ?? '',
    role: person?.role ?? '',
    components: person?.components ?? [],
    expiresOn: person?.expiresOn ?? '',
  }
}

const isLimitable = (role: Role | '') => limitableRoles.some((limitable) => limitable === role)

/** Leaves out what the role doesn't have. The form keeps it, because another role may be chosen. */
function bodyOf({ displayName, role, components, expiresOn }: PersonValues) {
  return {
    displayName,
    role,
    components: isLimitable(role) ? components : [],
    expiresOn: expiresOn === '' || role === 'administrator' ? null : expiresOn,
  }
}

function problemsOf(values: PersonValues, isNew: boolean): FieldError[] {
  const body = bodyOf(values)
  const problems = isNew
    ? problemsOfSchema(newPersonSchema, { ...body, email: values.email })
    : problemsOfSchema(personEditSchema, { ...body, isDisabled: false })
  return isHalfTyped('expiresOn')
    ? [...problems, { path: 'expiresOn', message: personMessages.date }]
    : problems
}

function textOf(name: keyof PersonValues, { role, components, expiresOn, ...texts }: PersonValues): string {
  if (name === 'role') return role && roleNames[role]
  if (name === 'components') return componentsText(components)
  return name === 'expiresOn' ? expiresOn && dateOf(expiresOn) : texts[name]
}

export function componentsText(components: readonly NstpComponent[]): string {
  return components.length === 0 ? 'All' : components.join(', ')
}

const roleTexts: Record<Role, string> = {
  administrator: 'Sees everything and does everything: settings, people, backups.',
  coordinator: 'Sees whole records. Changes, prints and exports them, and writes announcements and e-mails.',
  assistant: 'Sees and corrects names, course and contact details. For encoders.',
  registrar:
    'Sees names, birth date, course, component, serial number, marks and statistics. Credits levels; changes nothing else.',
  'privacy officer': 'Sees whole records and the audit trail, answers requests, deletes records.',
}

interface PersonFieldsProps {
  form: EditForm<PersonValues>
  stored: Person | null
  isOwn: boolean
}

function PersonFields({ form, stored, isOwn }: PersonFieldsProps) {
  const { role, components } = form.values
  const today = calendarDateOf(new Date(), useProgramTimeZone())
  return (
    <>
      <TextField {...form.field('displayName')} label={labels.displayName} autoComplete="off" required />
      {stored ? (
        <p className="text-sm wrap-anywhere text-muted">
          {stored.email}
          {isOwn && ' · Another administrator can change your role.'}
        </p>
      ) : (
        <TextField
          {...form.field('email')}
          type="email"
          label={labels.email}
          hint="For signing in. It can’t be changed later."
          autoComplete="off"
          required
        />
      )}
      {!isOwn && (
        <>
          <RoleField form={form} />
          {isLimitable(role) && (
            <fieldset className="flex flex-wrap gap-x-6 gap-y-1">
              <legend className="text-sm font-semibold">{labels.components}</legend>
              <p className="w-full text-sm text-muted">
                {components.length === 0 ? 'None selected: all components.' : 'Only these students are seen.'}
              </p>
              {nstpComponents.map((component, index) => (
                <label key={component} className="flex min-h-11 items-center gap-2.5 text-sm">
                  <input
                    id={index === 0 ? 'components' : undefined}
                    type="checkbox"
                    className="size-4.5 accent-primary"
                    checked={components.includes(component)}
                    onChange={({ target }) =>
                      form.set(
                        'components',
                        nstpComponents.filter((each) =>
                          each === component ? target.checked : components.includes(each),
                        ),
                      )
                    }
                  />
                  {component}
                </label>
              ))}
            </fieldset>
          )}
          {role !== 'administrator' && (
            <TextField
              {...form.field('expiresOn')}
              type="date"
              min={today}
              label={labels.expiresOn}
              hint={
                role === 'assistant'
                  ? 'The account ends after this day.'
                  : 'Optional. The account ends after this day.'
              }
              className="max-w-60"
              required={role === 'assistant'}
            />
          )}
        </>
      )}
    </>
  )
}

function RoleField({ form }: Pick<PersonFieldsProps, 'form'>) {
  const error = form.errorOf('role')
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={error && 'role-error'}>
      <legend className="mb-1 text-sm font-semibold">
        {labels.role}
        <RequiredMark />
      </legend>
      {roles.map((role, index) => (
        <label
          key={role}
          className="flex min-h-11 items-start gap-2.5 rounded-box border border-edge px-[12px] py-2 text-sm has-checked:border-primary has-checked:bg-primary-soft"
        >
          <input
            id={index === 0 ? 'role' : undefined}
            type="radio"
            name="role"
            value={role}
            checked={form.values.role === role}
            onChange={() => form.set('role', role)}
            className="mt-0.5 size-4.5 shrink-0 accent-primary"
          />
          <span className="min-w-0 wrap-anywhere">
            <span className="block font-semibold">{roleNames[role]}</span>
            <span className="text-muted">{roleTexts[role]}</span>
          </span>
        </label>
      ))}
      {error !== undefined && <FieldErrorText id="role-error">{error}</FieldErrorText>}
    </fieldset>
  )
}
