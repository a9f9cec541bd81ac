import { useState } from 'react'
import type { Location } from 'react-router'
import { type Role, roleNames, roles } from '#shared/people/permissions.ts'
import {
  endingRoles,
  limitableRoles,
  newPersonSchema,
  type Person,
  personEditSchema,
  personMessages,
} from '#shared/people/person.ts'
import type { FieldError } from '#shared/problem.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import { CheckLine, CheckList } from '#web/components/check-line.tsx'
import { FieldErrorText, isHalfTyped, RequiredMark, TextField } from '#web/components/field.tsx'
import { type EditForm, Form, problemsOfSchema } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { Hint } from '#web/components/hint.tsx'
import { useRecordForm } from '#web/components/record-form.ts'
import { ShownOnce } from '#web/components/shown-once.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { tabOf } from '#web/lib/admin-tab.ts'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { useToday } from '#web/lib/date-texts.ts'
import { adminPath } from '#web/lib/next-path.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { namesOf, newPerson, type OpenTerm, peopleAddress, readPeople } from './data.ts'

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
  sectionIds: string[]
  seesPhoneNumbers: boolean
}

const labels: Record<keyof PersonValues, string> = {
  displayName: 'Name',
  email: 'E-mail',
  role: 'Role',
  components: 'Components',
  expiresOn: 'Last day',
  sectionIds: 'Sections',
  seesPhoneNumbers: 'Phone numbers',
}

interface PersonFormProps {
  stored: Person | null
  term: OpenTerm
  isOwn: boolean
  onClose: () => void
}

export function PersonForm({ stored, term, isOwn, onClose }: PersonFormProps) {
  const [password, setPassword] = useState<string | null>(null)
  const form = useRecordForm({
    topics: ['people'],
    stored,
    what: 'person',
    labels,
    textOf: (name, values) => textOf(name, values, term),
    valuesOf,
    read: async () => (await readPeople()).items.find(({ id }) => id === stored?.id),
    missing: personMessages.missing,
    problemsOf: (values) => problemsOf(values, term, stored === null),
    staysOpen: ({ search }) => peopleAddress.read(search).person === (stored?.id ?? newPerson),
    async send(values, { version, changed, latest }) {
      if (!latest) {
        const json = newPersonSchema.parse({ ...bodyOf(values, term), email: values.email })
        return (await callApi(api.people.$post({ json }))).password
      }
      if (changed.length === 0) return null
      const isDisabled = latest.disabledAt !== null
      await callApi(
        api.people[':id'].$patch({
          param: { id: latest.id },
          header: ifMatch(version),
          json: personEditSchema.parse({ ...bodyOf(values, term), isDisabled }),
        }),
      )
      showToast('success', 'Changes saved')
      return null
    },
    onDone(made) {
      if (made === null) onClose()
      else setPassword(made)
    },
  })
  if (password !== null) {
    return <FirstPassword name={form.values.displayName.trim()} password={password} onDone={onClose} />
  }
  return (
    <Form form={form} closesTo={isClosed}>
      <PersonFields form={form} stored={stored} term={term} isOwn={isOwn} />
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
    sectionIds: person?.sectionIds ?? [],
    seesPhoneNumbers: person?.seesPhoneNumbers ?? false,
  }
}

const isEnding = (role: Role | '') => endingRoles.some((ending) => ending === role)

const isLimitable = (role: Role | '') => limitableRoles.some((limitable) => limitable === role)

/**
 * Leaves out what the role doesn't have. The form keeps it, because another role may be chosen. Leaves out sections that
 * are no longer offered, too: nobody could untick them.
 */
function bodyOf(
  { displayName, role, components, expiresOn, ...ofRoll }: PersonValues,
  { sections }: OpenTerm,
) {
  const { sectionIds, seesPhoneNumbers } = ofRoll
  const isFacilitator = role === 'facilitator'
  return {
    displayName,
    role,
    components: isLimitable(role) ? components : [],
    expiresOn: expiresOn === '' || role === 'administrator' ? null : expiresOn,
    sectionIds: isFacilitator ? sectionIds.filter((id) => sections.some((section) => section.id === id)) : [],
    seesPhoneNumbers: isFacilitator && seesPhoneNumbers,
  }
}

function problemsOf(values: PersonValues, term: OpenTerm, isNew: boolean): FieldError[] {
  const body = bodyOf(values, term)
  const problems = isNew
    ? problemsOfSchema(newPersonSchema, { ...body, email: values.email })
    : problemsOfSchema(personEditSchema, { ...body, isDisabled: false })
  return isHalfTyped('expiresOn')
    ? [...problems, { path: 'expiresOn', message: personMessages.date }]
    : problems
}

function textOf(
  name: keyof PersonValues,
  { role, components, expiresOn, sectionIds, seesPhoneNumbers, ...texts }: PersonValues,
  term: OpenTerm,
): string {
  if (name === 'seesPhoneNumbers') return seesPhoneNumbers ? 'Shown' : 'Hidden'
  if (name === 'sectionIds') return namesOf(term, sectionIds).join('; ') || 'None'
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
  facilitator:
    'Calls the roll (attendance) of chosen sections on a phone. Sees names, student IDs and courses there, and no other screen. For advisers and student leaders.',
}

interface PersonFieldsProps {
  form: EditForm<PersonValues>
  stored: Person | null
  term: OpenTerm
  isOwn: boolean
}

function PersonFields({ form, stored, term, isOwn }: PersonFieldsProps) {
  const { role, components, sectionIds, seesPhoneNumbers } = form.values
  const today = useToday()
  return (
    <>
      <TextField {...form.field('displayName')} label={labels.displayName} autoComplete="off" required />
      {stored ? (
        <Hint className="wrap-anywhere">
          {stored.email}
          {isOwn && ' · Another administrator can change your role.'}
        </Hint>
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
            <CheckList
              name="components"
              label={labels.components}
              hint={
                components.length === 0 ? 'None selected: all components.' : 'Only these students are seen.'
              }
              offered={nstpComponents}
              chosen={components}
              onChoose={(chosen) => form.set('components', chosen)}
            />
          )}
          {role !== 'administrator' && (
            <TextField
              {...form.field('expiresOn')}
              type="date"
              min={today}
              label={labels.expiresOn}
              hint={lastDayHint(role, term)}
              className="max-w-60"
              required={isEnding(role)}
            />
          )}
          {role === 'facilitator' && (
            <>
              <SectionsField
                term={term}
                error={form.errorOf('sectionIds')}
                chosen={sectionIds}
                onChoose={(ids) => form.set('sectionIds', ids)}
              />
              <CheckLine
                checked={seesPhoneNumbers}
                onChange={(isAllowed) => form.set('seesPhoneNumbers', isAllowed)}
              >
                Sees phone numbers of these students and of their emergency contacts. Viewing them is recorded
                in the audit trail.
              </CheckLine>
            </>
          )}
        </>
      )}
    </>
  )
}

function lastDayHint(role: Role | '', { termEndsOn }: OpenTerm): string {
  if (role === 'facilitator' && termEndsOn !== null)
    return `The account ends after this day, and with the term on ${dateOf(termEndsOn)} at the latest.`
  return isEnding(role) ? 'The account ends after this day.' : 'Optional. The account ends after this day.'
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

// Fewer sections are seen at a glance.
const mostWithoutSearch = 8

interface SectionsFieldProps {
  term: OpenTerm
  error: string | undefined
  chosen: readonly string[]
  onChoose: (ids: string[]) => void
}

/** The sections of the open term whose rolls a facilitator calls. */
function SectionsField({ term, error, chosen, onChoose }: SectionsFieldProps) {
  const [text, setText] = useState('')
  const { sections } = term
  const names = new Map(sections.map(({ id, name }) => [id, name]))
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = sections.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
  // The chosen ones stay in sight.
  const shown = sections.filter((section) => chosen.includes(section.id) || found.includes(section))
  return (
    <CheckList
      name="sectionIds"
      label="Sections"
      hint={hintOf(term, chosen)}
      error={error}
      offered={shown.map(({ id }) => id)}
      textOf={(id) => names.get(id) ?? ''}
      chosen={chosen}
      onChoose={onChoose}
    >
      {sections.length > mostWithoutSearch && (
        <TextField
          name="section-search"
          label="Find a section"
          isLabelHidden
          placeholder="Find a section"
          autoComplete="off"
          className="mt-1.5 w-full"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      {found.length === 0 && text !== '' && (
        <Hint role="status" className="w-full">
          No section matches.
        </Hint>
      )}
    </CheckList>
  )
}

function hintOf(term: OpenTerm, chosen: readonly string[]): string {
  if (term.termEndsOn === null) return 'There are none: no term is open.'
  if (term.sections.length === 0) return 'There are none: the open term has no sections yet.'
  if (namesOf(term, chosen).length === 0) return 'None selected: the facilitator calls no roll.'
  return 'The facilitator calls the rolls of these sections.'
}
