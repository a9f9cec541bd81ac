import { ChevronRight } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { isCalendarDate } from '#shared/program-calendar.ts'
import {
  bloodTypes,
  civilStatuses,
  nstpComponents,
  sexes,
  storedYearLevelLabels,
} from '#shared/students/student-choices.ts'
import { editableFields, firstEditFields } from '#shared/students/student-edit.ts'
import {
  type FieldSection,
  fieldDefinition,
  type StudentField,
  sectionTitles,
} from '#shared/students/student-fields.ts'
import { SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import type { EditForm } from '#web/components/form.tsx'

export type EditValues = Record<StudentField, string>

type Attributes = Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'autoCapitalize' | 'max'>

const name: Attributes = { autoCapitalize: 'words' }
const phone: Attributes = { type: 'tel', inputMode: 'tel' }
const digits: Attributes = { inputMode: 'numeric' }
const code: Attributes = { autoCapitalize: 'characters' }

const textAttributes: Partial<Record<StudentField, Attributes>> = {
  firstName: name,
  middleName: name,
  lastName: name,
  contactNumber: phone,
  email: { type: 'email', inputMode: 'email', autoCapitalize: 'none' },
  emergencyContactName: name,
  emergencyContactNumber: phone,
  address: name,
  municipalCity: name,
  zipCode: digits,
  socialSecurityNumber: digits,
  // Without a last year the control takes years of six digits.
  dateOfBirth: { type: 'date', max: '9999-12-31' },
  placeOfBirth: name,
  citizenship: name,
  religion: name,
  studentId: code,
  serialNumber: code,
  fatherName: name,
  motherName: name,
  guardianName: name,
  guardianAddress: name,
  guardianContactNumber: phone,
  elementarySchool: name,
  elementaryYearGraduated: digits,
  highSchool: name,
  highSchoolYearGraduated: digits,
  college: name,
  collegeYearGraduated: digits,
  emergencyContactAddress: name,
}

// In the order of spec §2.
const rows: readonly { fields: readonly (typeof firstEditFields)[number][]; columns: string }[] = [
  { fields: ['firstName', 'middleName', 'lastName'], columns: 'sm:grid-cols-3' },
  { fields: ['sex', 'course'], columns: 'sm:grid-cols-2' },
  { fields: ['contactNumber', 'email'], columns: 'sm:grid-cols-2' },
  {
    fields: ['nstpComponent', 'emergencyContactName', 'emergencyContactNumber'],
    // The label of the last is the longest.
    columns: 'sm:grid-cols-[7fr_10fr_11fr]',
  },
  { fields: ['address'], columns: '' },
]

const otherFields = editableFields.slice(firstEditFields.length)
const otherSections = [...new Set(otherFields.map((field) => fieldDefinition(field).section))]

interface EditFieldsProps {
  form: EditForm<EditValues>
  /** A stored value remains a choice when it is no longer available. */
  stored: EditValues
  courses: readonly string[]
  academicYears: readonly string[]
}

export function editFieldId(field: string): string {
  return `edit-${field}`
}

export function EditFields(props: EditFieldsProps) {
  return (
    <>
      {rows.map(({ fields, columns }) => (
        <div key={fields.join()} className={`grid items-start gap-4 ${columns}`}>
          {fields.map((field) => (
            <EditField key={field} field={field} {...props} />
          ))}
        </div>
      ))}
      <section aria-labelledby="edit-others" className="mt-2">
        <h3 id="edit-others" className="font-semibold text-primary">
          All other fields
        </h3>
        {otherSections.map((section) => (
          <OtherSection key={section} section={section} {...props} />
        ))}
      </section>
    </>
  )
}

// A closed section is not rendered, to keep a form of 44 fields small.
function OtherSection({ section, ...props }: EditFieldsProps & { section: FieldSection }) {
  const { errorOf, refusal } = props.form
  const fields = otherFields.filter((field) => fieldDefinition(field).section === section)
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
        <ChevronRight aria-hidden="true" className="mt-1 size-4 shrink-0 group-open:rotate-90" />
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
    sex: sexes,
    course: courses,
    nstpComponent: nstpComponents,
    civilStatus: civilStatuses,
    bloodType: bloodTypes,
    yearLevel: storedYearLevelLabels,
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
        {...textAttributes[field]}
        name={field}
        error={form.errorOf(field)}
        // Not registered: react-hook-form reads a control's own value, which is '' for 30 February.
        value={isCalendarDate(form.values[field]) ? form.values[field] : ''}
        onChange={({ target }) => form.set(field, target.validity.badInput ? 'incomplete' : target.value)}
      />
    )
  }
  return <TextField {...common} {...form.field(field)} {...textAttributes[field]} spellCheck={false} />
}

function withStored(offered: readonly string[], stored: string): readonly string[] {
  return stored === '' || offered.includes(stored) ? offered : [...offered, stored]
}
