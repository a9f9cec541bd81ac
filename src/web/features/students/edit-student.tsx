import { ChevronRight } from 'lucide-react'
import { type ComponentProps, useRef, useState } from 'react'
import type { Location } from 'react-router'
import { type CorrectionReason, correctionReasonNames, correctionReasons } from '#shared/privacy/privacy.ts'
import { calendarDateOf, isCalendarDate } from '#shared/program-calendar.ts'
import { fieldChoices, yearLevelLabel } from '#shared/students/student-choices.ts'
import {
  changersFields,
  createStudentEditSchema,
  editableFields,
  firstEditFields,
} from '#shared/students/student-edit.ts'
import {
  type FieldSection,
  fieldDefinition,
  type StudentField,
  sectionTitles,
} from '#shared/students/student-fields.ts'
import type { StudentRecord } from '#shared/students/student-response.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import { type EditForm, Form, problemsOfSchema, useEditForm } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { focusLoaded } from '#web/components/modal.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { Loading } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useAccount } from '#web/lib/account.ts'
import { tabOf } from '#web/lib/admin-tab.ts'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { ApiProblem, isAbout } from '#web/lib/api-problem.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { adminPath } from '#web/lib/next-path.ts'
import { optionsOf } from '#web/lib/options.ts'
import { failureOf } from '#web/lib/query.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { useChoices, useStudentRecord } from './data.ts'
import inputs from './edit-inputs.json' with { type: 'json' }
import { readAddress } from './list-address.ts'
import { RecordModal } from './record-modals.tsx'
import { studentsListConfig } from './student-lists.ts'
import { listName, withMoved } from './student-texts.ts'

interface EditStudentProps {
  id: string | null
  onSaved: () => void
  onClose: () => void
}

/** Product 9.7. */
export function EditStudent({ id, ...options }: EditStudentProps) {
  return (
    <RecordModal id={id} title={(id) => <EditTitle id={id} />} hasButtons onClose={options.onClose}>
      {(id) => <LoadedForm id={id} {...options} />}
    </RecordModal>
  )
}

function EditTitle({ id }: { id: string }) {
  const { data } = useStudentRecord(id)
  return (
    <>
      Edit Student
      {data && (
        <span className="block text-sm font-normal wrap-anywhere text-muted">
          {listName(data)} · {data.reference}
        </span>
      )}
    </>
  )
}

function LoadedForm({ id, ...options }: EditStudentProps & { id: string }) {
  const queries = {
    record: useStudentRecord(id),
    courses: useChoices('courses'),
    years: useChoices('academicYears'),
  }
  const { data } = queries.record
  // The record as it was when the form was opened. A later version is handled when the form is saved.
  const [record, setRecord] = useState<StudentRecord>()
  if (!record && data) setRecord(data)
  const courses = queries.courses.data
  const academicYears = queries.years.data
  if (record && courses && academicYears) {
    return (
      <div ref={focusLoaded}>
        <StudentForm record={record} courses={courses} academicYears={academicYears} {...options} />
      </div>
    )
  }
  const failed = Object.values(queries).filter((query) => failureOf(query) !== null)
  const failure = failed[0] && failureOf(failed[0])
  if (!failure) return <Loading what="the student's record" lines={8} className="h-11" />
  const retry = () => failed.forEach((query) => void query.refetch())
  return <ErrorBanner message={failure} onRetry={retry} />
}

interface StudentFormProps extends Omit<EditStudentProps, 'id'> {
  record: StudentRecord
  courses: readonly string[]
  academicYears: readonly string[]
}

function isList({ pathname, search }: Location): boolean {
  return (
    pathname === adminPath &&
    tabOf(search) === 'students' &&
    readAddress(search, studentsListConfig).opened === null
  )
}

function StudentForm({ record, courses, academicYears, onSaved, onClose }: StudentFormProps) {
  const timeZone = useProgramTimeZone()
  // What is stored now: its values pass even where they are no longer on offer.
  const stored = useRef(record)
  const [question, setQuestion] = useState<{ sentence: string; give: (isMeant: boolean) => void } | null>(
    null,
  )
  const [reason, setReason] = useState<CorrectionReason>('office')
  const form = useEditForm<EditValues, void>({
    values: editValuesOf(record),
    problemsOf: (values) => {
      const registered = calendarDateOf(new Date(record.registrationDate), timeZone)
      const basis = { courses, academicYears, registered, stored: stored.current }
      return problemsOfSchema(createStudentEditSchema(basis), values)
    },
    whatFailed: 'Failed to update student',
    controlId: editFieldId,
    staysOpen({ search }) {
      const { opened } = readAddress(search, studentsListConfig)
      return opened?.as === 'edit' && opened.id === record.id
    },
    record: {
      what: 'record',
      version: record.version,
      labelOf: (field) => fieldDefinition(field).label,
      textOf: (field, values) => (field === 'dateOfBirth' ? dateOf(values[field]) : values[field]),
      async read() {
        stored.current = await callApi(api.students[':id'].$get({ param: { id: record.id } }))
        return { values: editValuesOf(stored.current), version: stored.current.version }
      },
    },
    async send(values, { version, changed }) {
      if (changed.length === 0) return
      const save = (serialMeant: 'true' | 'false') =>
        callApi(
          api.students[':id'].$patch({
            param: { id: record.id },
            query: { reason, serialMeant },
            header: ifMatch(version),
            json: Object.fromEntries(changed.map((field) => [field, values[field]])),
          }),
        )
      const { movedIn = [], nstpComponent } = await save('false').catch(async (error: unknown) => {
        if (!(error instanceof ApiProblem) || !isAbout(error, 'serialMeant')) throw error
        const sentence = error.message
        const isMeant = await new Promise<boolean>((give) => setQuestion({ sentence, give }))
        setQuestion(null)
        if (isMeant) return await save('true')
        throw new ApiProblem({ ...error.problem, errors: [{ path: 'serialNumber', message: sentence }] })
      })
      onSaved()
      const message = withMoved('Student updated successfully', movedIn, nstpComponent)
      showToast('success', message)
    },
    onSaved: onClose,
  })

  return (
    <Form form={form} closesTo={isList}>
      <EditFields
        form={form}
        stored={editValuesOf(stored.current)}
        courses={courses}
        academicYears={academicYears}
      />
      <SelectField
        name="reason"
        label="Reason"
        hint="For the audit trail."
        options={optionsOf(correctionReasonNames, correctionReasons)}
        value={reason}
        onChange={({ target }) =>
          setReason(correctionReasonNames.find((name) => name === target.value) ?? 'office')
        }
      />
      <FormFoot form={form} label="Save Changes" onCancel={onClose} />
      <QuestionModal
        title="Keep this serial number?"
        thing={question}
        isDangerous={false}
        words={() => ({ confirm: 'Keep it', dismiss: 'Correct it' })}
        onConfirm={({ give }) => give(true)}
        onClose={() => question?.give(false)}
      >
        {({ sentence }) => (
          <p className="wrap-anywhere">
            {sentence} Keep it only if the agency wrote it so: certificates print it as it is.
          </p>
        )}
      </QuestionModal>
    </Form>
  )
}

function editValuesOf(record: Pick<StudentRecord, StudentField>): EditValues {
  const entries = editableFields.map((field) => [
    field,
    field === 'yearLevel' ? yearLevelLabel(record.yearLevel) : record[field],
  ])
  // The entries have exactly these names.
  return Object.fromEntries(entries) as EditValues
}

type EditValues = Record<StudentField, string>

type Attributes = Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'autoCapitalize' | 'max'>

const attributes: Readonly<Record<string, Attributes>> = {
  name: { autoCapitalize: 'words' },
  phone: { type: 'tel', inputMode: 'tel' },
  digits: { inputMode: 'numeric' },
  code: { autoCapitalize: 'characters' },
  email: { type: 'email', inputMode: 'email', autoCapitalize: 'none' },
  // A last year is set, because the control would take years of six digits.
  date: { type: 'date', max: '9999-12-31' },
}

const inputKinds: Partial<Record<StudentField, string>> = inputs

const rows: readonly { fields: readonly (typeof firstEditFields)[number][]; columns: string }[] = [
  { fields: ['studentId'], columns: 'sm:grid-cols-3' },
  { fields: ['firstName', 'middleName', 'lastName'], columns: 'sm:grid-cols-3' },
  { fields: ['sex', 'course'], columns: 'sm:grid-cols-2' },
  { fields: ['contactNumber', 'email'], columns: 'sm:grid-cols-2' },
  { fields: ['nstpComponent'], columns: 'sm:grid-cols-2' },
  { fields: ['emergencyContactName', 'emergencyContactNumber'], columns: 'sm:grid-cols-2' },
  { fields: ['address'], columns: '' },
]

const otherFields = editableFields.slice(firstEditFields.length)
const otherSections = [...new Set(otherFields.map((field) => fieldDefinition(field).section))]

const fieldsOf = (section: FieldSection) =>
  otherFields.filter((field) => fieldDefinition(field).section === section)

function useMayEdit(): (field: StudentField) => boolean {
  const { can, sees } = useAccount()
  return (field) => sees(field) && (can('students.change') || !changersFields.includes(field))
}

interface EditFieldsProps {
  form: EditForm<EditValues>
  /** A stored value remains a choice when it is no longer available. */
  stored: EditValues
  courses: readonly string[]
  academicYears: readonly string[]
}

function editFieldId(field: string): string {
  return `edit-${field}`
}

function EditFields(props: EditFieldsProps) {
  const mayEdit = useMayEdit()
  const shownRows = rows.map(({ fields, columns }) => ({ columns, fields: fields.filter(mayEdit) }))
  const shownSections = otherSections.filter((section) => fieldsOf(section).some(mayEdit))
  return (
    <>
      {shownRows.map(
        ({ fields, columns }) =>
          fields.length > 0 && (
            <div key={fields.join()} className={`grid items-start gap-4 ${columns}`}>
              {fields.map((field) => (
                <EditField key={field} field={field} {...props} />
              ))}
            </div>
          ),
      )}
      <section aria-labelledby="edit-others" className="mt-2">
        <h3 id="edit-others" className="font-semibold text-primary">
          More fields
        </h3>
        {shownSections.map((section) => (
          <OtherSection key={section} section={section} {...props} />
        ))}
      </section>
    </>
  )
}

// A closed section is not rendered, to keep a large form small.
function OtherSection({ section, ...props }: EditFieldsProps & { section: FieldSection }) {
  const { errorOf, refusal } = props.form
  const fields = fieldsOf(section).filter(useMayEdit())
  const title = sectionTitles[section]
  const labels = fields.map((field) => fieldDefinition(field).label).join(' · ')
  const [isOpen, setOpen] = useState(false)
  const [seen, setSeen] = useState(refusal)
  if (seen !== refusal) {
    setSeen(refusal)
    if (fields.some((field) => errorOf(field) !== undefined)) setOpen(true)
  }
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group border-b last:border-b-0"
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-start gap-1.5 py-2.5">
        <ChevronRight className="mt-1 size-4 shrink-0 group-open:rotate-90" />
        <span className="min-w-0">
          <span className="block font-semibold">{title}</span>
          {labels.toLowerCase() !== title.toLowerCase() && (
            <span className="block text-xs text-muted group-open:hidden">{labels}</span>
          )}
        </span>
      </summary>
      {isOpen && (
        <div className={`grid items-start gap-4 pt-1 pb-5 ${fields.length > 1 ? 'sm:grid-cols-2' : ''}`}>
          {fields.map((field) => (
            <EditField key={field} field={field} {...props} />
          ))}
        </div>
      )}
    </details>
  )
}

function EditField({
  field,
  form,
  stored,
  courses,
  academicYears,
}: EditFieldsProps & { field: StudentField }) {
  const { label, required, multiline } = fieldDefinition(field)
  const common = {
    id: editFieldId(field),
    label,
    required,
    autoComplete: 'off',
  }
  const choices: Partial<Record<StudentField, readonly string[]>> = {
    ...fieldChoices,
    course: courses,
    academicYear: academicYears,
  }
  const offered = choices[field]
  if (offered) {
    return (
      <SelectField
        {...common}
        {...form.field(field)}
        options={withStored(offered, stored[field])}
        {...(!required || stored[field] === '' ? { placeholder: 'Choose…' } : {})}
      />
    )
  }
  if (multiline) return <TextAreaField {...common} {...form.field(field)} />
  if (field === 'dateOfBirth') {
    return (
      <TextField
        {...common}
        {...attributes[inputKinds[field] ?? '']}
        name={field}
        error={form.errorOf(field)}
        // Not registered: react-hook-form reads a control's own value, which is '' for 30 February.
        value={isCalendarDate(form.values[field]) ? form.values[field] : ''}
        onChange={({ target }) => form.set(field, target.validity.badInput ? 'incomplete' : target.value)}
      />
    )
  }
  return (
    <TextField
      {...common}
      {...form.field(field)}
      {...attributes[inputKinds[field] ?? '']}
      spellCheck={false}
    />
  )
}

function withStored(offered: readonly string[], stored: string): readonly string[] {
  return stored === '' || offered.includes(stored) ? offered : [...offered, stored]
}
