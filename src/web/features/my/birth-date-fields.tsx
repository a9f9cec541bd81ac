import { FieldErrorText, SelectField, TextField } from '#web/components/field.tsx'
import { monthOptions } from '#web/lib/birth-date.ts'
import { useTranslation } from '#web/lib/translation.tsx'

interface BirthDateFieldsProps {
  /** Begins the names of the three controls. */
  name: string
  label: string
  typed?: Readonly<Record<string, string>> | undefined
  error?: string | undefined
}

/** Three controls, as on the enlistment form: a month by name leaves no doubt, and the parts give number keys. */
export function BirthDateFields({ name, label, typed, error }: BirthDateFieldsProps) {
  const t = useTranslation()
  const errorId = `${name}-error`
  const judged = { 'aria-invalid': error !== undefined, 'aria-describedby': error && errorId }
  const partOf = (part: string) => ({ name: `${name}${part}`, defaultValue: typed?.[`${name}${part}`] ?? '' })
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-semibold">{t(label)}</legend>
      {/* The width is measured in letters: in large text three fields don't fit beside each other. */}
      <div className="@container max-w-md">
        <div className="grid grid-cols-2 gap-2 @min-[20rem]:grid-cols-[minmax(0,1fr)_3.5rem_5rem]">
          <SelectField
            {...judged}
            {...partOf('Month')}
            label="Month"
            options={monthOptions}
            placeholder="Choose…"
            autoComplete="off"
            className="@max-[20rem]:col-span-2"
          />
          <TextField {...judged} {...partOf('Day')} label="Day" inputMode="numeric" autoComplete="off" />
          <TextField {...judged} {...partOf('Year')} label="Year" inputMode="numeric" autoComplete="off" />
        </div>
      </div>
      {error !== undefined && <FieldErrorText id={errorId}>{error}</FieldErrorText>}
    </fieldset>
  )
}
