import { sexes } from '#shared/student-choices.ts'
import { ChoiceGroup } from './choice-group.tsx'
import { useStudentField } from './field-context.ts'

/** Two choices, both in sight. */
export function SexField({ className }: { className: string }) {
  const { values, label, required, error } = useStudentField('sex')
  return (
    <ChoiceGroup
      name="sex"
      label={label}
      required={required}
      error={error}
      role="radiogroup"
      className={className}
    >
      <div className="grid grid-cols-2 gap-3">
        {sexes.map((sex, index) => (
          <label
            key={sex}
            className="control flex min-h-11 items-center gap-3 has-checked:border-primary has-checked:bg-primary-soft"
          >
            <input
              type="radio"
              id={index === 0 ? 'sex' : `sex-${sex}`}
              name="sex"
              value={sex}
              defaultChecked={values.sex === sex}
              autoComplete="sex"
              className="size-5 accent-primary"
            />
            {sex}
          </label>
        ))}
      </div>
    </ChoiceGroup>
  )
}
