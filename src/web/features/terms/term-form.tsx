import { useRef } from 'react'
import type { FieldError } from '#shared/problem.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
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
import { Form, problemsOfSchema, useEditForm } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { Modal, ModalOf } from '#web/components/modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useReadAgain } from '#web/lib/query.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { readTerms } from '#web/lib/terms.ts'
import { isFormClosed, termsAddress } from './data.ts'
import { nextTerm, proposedDays } from './term-proposal.ts'

interface NewTermModalProps {
  isOpen: boolean
  terms: readonly Term[]
  onAdded: (id: string) => void
  onClose: () => void
}

export function NewTermModal({ isOpen, ...props }: NewTermModalProps) {
  return (
    <Modal open={isOpen} onClose={props.onClose} size="sm" title="Open a term">
      <NewTermForm {...props} />
    </Modal>
  )
}

interface NewTermValues {
  academicYear: string
  semester: Semester
  startsOn: string
  endsOn: string
  copyFrom: string
}

function NewTermForm({ terms, onAdded, onClose }: Omit<NewTermModalProps, 'isOpen'>) {
  const readAgain = useReadAgain('terms')
  const settings = useSettings()
  const today = calendarDateOf(new Date(), useProgramTimeZone())
  const open = terms.find(({ state }) => state === 'open')
  const proposed = nextTerm(terms, currentAcademicYear(settings, today))
  const state = open ? 'planned' : 'open'
  const bodyOf = ({ copyFrom, ...values }: NewTermValues) => ({
    ...values,
    state,
    copyFrom: copyFrom === '' ? null : copyFrom,
  })
  const form = useEditForm<NewTermValues, Term>({
    values: { ...proposed, ...proposedDays(settings.semesters, proposed), copyFrom: '' },
    problemsOf: (values) => withHalfTyped(problemsOfSchema(newTermSchema, bodyOf(values))),
    staysOpen: ({ search }) => termsAddress.read(search).open === 'new-term',
    send: (values) => callApi(api.terms.$post({ json: newTermSchema.parse(bodyOf(values)) })),
    onSaved(term) {
      void readAgain()
      showToast({ type: 'success', message: `${termLabel(term)} is ${term.state}` })
      onAdded(term.id)
    },
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
        <p className="text-sm text-muted">
          {termLabel(open)} is open. The new term is planned until that one is closed; sections and students
          can be prepared in it.
        </p>
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

interface TermDatesModalProps {
  term: Term | null
  onClose: () => void
}

export function TermDatesModal({ term, onClose }: TermDatesModalProps) {
  return (
    <ModalOf thing={term} onClose={onClose} size="sm" title={termLabel}>
      {(shown) => <TermDatesForm term={shown} onClose={onClose} />}
    </ModalOf>
  )
}

const daysOf = ({ startsOn, endsOn }: Term) => ({ startsOn, endsOn })

function TermDatesForm({ term, onClose }: { term: Term; onClose: () => void }) {
  const readAgain = useReadAgain('terms')
  // Its state isn't one of the fields.
  const latest = useRef(term)
  const bodyOf = (days: ReturnType<typeof daysOf>) => ({ ...days, state: latest.current.state })
  const form = useEditForm<ReturnType<typeof daysOf>, void>({
    values: daysOf(term),
    problemsOf: (values) => withHalfTyped(problemsOfSchema(termEditSchema, bodyOf(values))),
    staysOpen: ({ search }) => termsAddress.read(search).open === 'dates',
    record: {
      what: 'term',
      version: term.version,
      labelOf: (name) => dayLabels[name],
      textOf: (name, values) => dateOf(values[name]),
      async read() {
        const now = (await readTerms()).find(({ id }) => id === term.id)
        if (!now) throw new Error(termMessages.missing)
        latest.current = now
        return { values: daysOf(now), version: now.version }
      },
    },
    async send(values, { version }) {
      await callApi(
        api.terms[':id'].$patch({
          param: { id: term.id },
          header: { 'if-match': `"${version}"` },
          json: termEditSchema.parse(bodyOf(values)),
        }),
      )
    },
    onSaved() {
      void readAgain()
      showToast({ type: 'success', message: 'Changes saved' })
      onClose()
    },
  })
  return (
    <Form form={form} closesTo={isFormClosed}>
      <DayFields field={form.field} />
      <FormFoot form={form} label="Save changes" onCancel={onClose} />
    </Form>
  )
}
