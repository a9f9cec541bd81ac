import { SelectField } from '#web/components/select-field.tsx'
import { TextField } from '#web/components/text-field.tsx'
import { monthNames } from './birth-date.ts'
import { ChoiceGroup } from './choice-group.tsx'
import { useStudentField } from './field-context.ts'

const monthOptions = monthNames.map((label, index) => ({ value: String(index + 1), label }))

/**
 * A birthday in three parts. The browser's date picker opens at today: on many phones sixteen years back are
 * two hundred taps, and its order of day and month changes with the phone's language. A month by name leaves
 * no doubt, the numbers bring up the number keys, and each part can be filled in by the browser.
 */
export function BirthDateField({ className }: { className: string }) {
  const { values, label, required, error } = useStudentField('dateOfBirth')
  const part = { 'aria-invalid': error !== undefined, 'aria-required': required }
  return (
    <ChoiceGroup name="dateOfBirth" label={label} required={required} error={error} className={className}>
      <div className="grid grid-cols-2 gap-3 min-[24rem]:grid-cols-[minmax(0,1fr)_3.5rem_5.5rem] sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1.25fr)]">
        <SelectField
          {...part}
          id="dateOfBirth"
          name="birthMonth"
          label="Month"
          options={monthOptions}
          placeholder="Choose…"
          defaultValue={values.birthMonth ?? ''}
          autoComplete="bday-month"
          className="col-span-2 min-[24rem]:col-span-1"
        />
        <TextField
          {...part}
          name="birthDay"
          label="Day"
          inputMode="numeric"
          placeholder="14"
          defaultValue={values.birthDay ?? ''}
          autoComplete="bday-day"
          enterKeyHint="next"
        />
        <TextField
          {...part}
          name="birthYear"
          label="Year"
          inputMode="numeric"
          placeholder="2008"
          defaultValue={values.birthYear ?? ''}
          autoComplete="bday-year"
          enterKeyHint="next"
        />
      </div>
    </ChoiceGroup>
  )
}
