import { clsx } from 'clsx'
import { componentNames } from '#shared/student-choices.ts'
import { ChoiceGroup } from './choice-group.tsx'
import { useStudentField } from './field-context.ts'

const components = [
  {
    name: 'CWTS',
    text: 'Service to the community: health, education, environment, safety. Graduates join the National Service Reserve Corps.',
    checked: 'has-checked:border-blue has-checked:bg-blue-soft',
    word: 'text-blue',
  },
  {
    name: 'ROTC',
    text: 'Military training and leadership for national defense. Graduates join the Citizen Armed Force.',
    checked: 'has-checked:border-olive has-checked:bg-olive-soft',
    word: 'text-olive',
  },
] as const

/** The choice of the component, with what each one is. */
export function ComponentField() {
  const { values, label, required, error } = useStudentField('nstpComponent')
  return (
    <ChoiceGroup name="nstpComponent" label={label} required={required} error={error} role="radiogroup">
      <div className="grid grid-cols-1 gap-3 wrap-anywhere sm:grid-cols-2">
        {components.map(({ name, text, checked, word }, index) => (
          <label
            key={name}
            className={clsx('flex items-start gap-3 rounded-box border border-edge bg-card p-4', checked)}
          >
            <input
              type="radio"
              id={index === 0 ? 'nstpComponent' : `nstpComponent-${name}`}
              name="nstpComponent"
              value={name}
              defaultChecked={values.nstpComponent === name}
              aria-describedby={`nstpComponent-${name}-text`}
              className="mt-1 size-5 shrink-0 accent-primary"
            />
            <span className="min-w-0">
              <span className={clsx('block text-lg font-bold', word)}>{name}</span>
              <span className="block font-semibold">{componentNames[name]}</span>
              <span id={`nstpComponent-${name}-text`} className="mt-1 block text-sm text-muted">
                {text}
              </span>
            </span>
          </label>
        ))}
      </div>
    </ChoiceGroup>
  )
}
