import type { FieldError } from '#shared/problem.ts'
import { currentAcademicYear } from '#shared/settings/settings.ts'
import {
  newTermSchema,
  type Semester,
  semesterNames,
  semesters,
  termEditSchema,
  termLabel,
  termMessages,
} from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { isHalfTyped, SelectField, TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { Hint } from '#web/components/hint.tsx'
import { useOfficeForm, useRecordForm } from '#web/components/record-form.ts'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { useToday } from '#web/lib/date-texts.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { readTerms } from '#web/lib/terms.ts'
import { isFormClosed, termsAddress } from './data.ts'
import { nextTerm, proposedDays } from './term-proposal.ts'

interface NewTermProps {
  terms: readonly Term[]
  onAdded: (id: string) => void
  onClose: () => void
}

interface NewTermValues {
  academicYear: string
  semester: Semester
  startsOn: string
  endsOn: string
  copyFrom: string
}

export function NewTermForm({ terms, onAdded, onClose }: NewTermProps) {
  const settings = useSettings()
  const today = useToday()
  const open = terms.find(({ state }) => state === 'open')
  const proposed = nextTerm(terms, currentAcademicYear(settings, today))
  const state = open ? 'planned' : 'open'
  const bodyOf = ({ copyFrom, ...values }: NewTermValues) => ({
    ...values,
    state,
    copyFrom: copyFrom === '' ? null : copyFrom,
  })
  const form = useOfficeForm<NewTermValues, Term>({
    topics: ['terms'],
    values: { ...proposed, ...proposedDays(settings.semesters, proposed), copyFrom: '' },
    problemsOf: (values) => withHalfTyped(problemsOfSchema(newTermSchema, bodyOf(values))),
    staysOpen: ({ search }) => termsAddress.read(search).open === 'new-term',
    send: (values) => callApi(api.terms.$post({ json: newTermSchema.parse(bodyOf(values)) })),
    done: (term) => `${termLabel(term)} is ${term.state}`,
    onDone: ({ id }) => onAdded(id),
  })

  /** The days follow the semester until they are typed. */
  function choose(chosen: Partial<Pick<NewTermValues, 'academicYear' | 'semester'>>) {
    const { values } = form
    const before = proposedDays(settings.semesters, values)
    const after = proposedDays(settings.semesters, { ...values, ...chosen })
    if (chosen.academicYear !== undefined) form.set('academicYear', chosen.academicYear)
    if (chosen.semester !== undefined) form.set('semester', chosen.semester)
    for (const name of ['startsOn', 'endsOn'] as const) {
      if (values[name] === before[name]) form.set(name, after[name])
    }
  }

  const years = [...new Set([...settings.academicYears, proposed.academicYear])].filter(Boolean)
  return (
    <Form form={form} closesTo={isFormClosed}>
      <SelectField
        name="academicYear"
        label="Academic year"
        options={years}
        placeholder="Please choose"
        value={form.values.academicYear}
        error={form.errorOf('academicYear')}
        onChange={({ target }) => choose({ academicYear: target.value })}
      />
      <SelectField
        name="semester"
        label="Semester"
        options={semesters.map((semester) => ({ value: String(semester), label: semesterNames[semester] }))}
        value={String(form.values.semester)}
        error={form.errorOf('semester')}
        onChange={({ target }) => {
          const semester = semesters.find((one) => String(one) === target.value)
          if (semester) choose({ semester })
        }}
      />
      <DayFields field={form.field} />
      {terms.length > 0 && (
        <SelectField
          {...form.field('copyFrom')}
          label="Copy sections from"
          options={terms.map((term) => ({ value: term.id, label: termLabel(term) }))}
          placeholder="None"
        />
      )}
      {open && (
        <Hint>
          {termLabel(open)} is open. The new term is planned until that one is closed; sections and students
          can be prepared in it.
        </Hint>
      )}
      <FormFoot form={form} label={open ? 'Plan term' : 'Open term'} onCancel={onClose} />
    </Form>
  )
}

const dayLabels = { startsOn: 'First day', endsOn: 'Last day' } as const

type DayName = keyof typeof dayLabels

interface DayFieldsProps {
  field: (name: DayName) => { name: string; error: string | undefined }
}

function DayFields({ field }: DayFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {(['startsOn', 'endsOn'] as const).map((name) => (
        <TextField key={name} {...field(name)} type="date" label={dayLabels[name]} required />
      ))}
    </div>
  )
}

function withHalfTyped(problems: FieldError[]): FieldError[] {
  const halfTyped = (['startsOn', 'endsOn'] as const).filter((name) => isHalfTyped(name))
  return [...problems, ...halfTyped.map((name) => ({ path: name, message: termMessages[name] }))]
}

const daysOf = ({ startsOn, endsOn }: Term) => ({ startsOn, endsOn })

export function TermDatesForm({ term, onClose }: { term: Term; onClose: () => void }) {
  const form = useRecordForm({
    topics: ['terms'],
    stored: term,
    what: 'term',
    labels: dayLabels,
    textOf: (name, values) => dateOf(values[name]),
    valuesOf: daysOf,
    read: async () => (await readTerms()).find(({ id }) => id === term.id),
    missing: termMessages.missing,
    problemsOf: (days) => withHalfTyped(problemsOfSchema(termEditSchema, { ...days, state: term.state })),
    staysOpen: ({ search }) => termsAddress.read(search).open === 'dates',
    send: (days, { version, latest: { state } }) =>
      callApi(
        api.terms[':id'].$patch({
          param: { id: term.id },
          header: ifMatch(version),
          json: termEditSchema.parse({ ...days, state }),
        }),
      ),
    done: 'Changes saved',
    onDone: onClose,
  })
  return (
    <Form form={form} closesTo={isFormClosed}>
      <DayFields field={form.field} />
      <FormFoot form={form} label="Save changes" onCancel={onClose} />
    </Form>
  )
}
