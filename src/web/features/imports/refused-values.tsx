import { useState } from 'react'
import type { ImportDetails, ImportRowPage } from '#shared/imports/import-response.ts'
import { importFieldLabel } from '#shared/imports/imports.ts'
import { SmallButton } from '#web/components/button.tsx'
import { SelectField } from '#web/components/field.tsx'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useSettings, useUpdateSettings } from '#web/lib/settings.tsx'
import { choicesOf } from './field-choices.ts'
import type { ImportAction } from './imports-data.ts'

type RefusedValue = ImportRowPage['refused'][number]

interface RefusedValuesProps {
  refused: readonly RefusedValue[]
  details: ImportDetails
  action: ImportAction
}

/** One press mends a value in all its rows. */
export function RefusedValues({ refused, details, action }: RefusedValuesProps) {
  const mendable = refused.flatMap((one) => {
    const choices = choicesOf(one.field, details.choices)
    return choices ? [{ ...one, choices }] : []
  })
  if (mendable.length === 0) return null
  return (
    <ul aria-label="Values to correct in several rows" className="flex flex-col gap-2">
      {mendable.map((one) => (
        <li key={`${one.field} ${one.value}`} className="rounded-box bg-warning-soft p-4">
          <Replacement {...one} id={details.id} action={action} />
        </li>
      ))}
    </ul>
  )
}

interface ReplacementProps extends RefusedValue {
  choices: readonly string[]
  id: string
  action: ImportAction
}

function Replacement({ field, value, count, choices, id, action }: ReplacementProps) {
  const [to, setTo] = useState('')
  const { courses, version } = useSettings()
  const update = useUpdateSettings()
  const label = importFieldLabel(field)
  const replace = (to: string) =>
    callApi(api.imports[':id'].replacements.$post({ param: { id }, json: { field, from: value, to } }))

  const replaceAll = () => action.run({ whatFailed: `Failed to replace “${value}”`, send: () => replace(to) })

  const addCourse = () =>
    action.run({
      whatFailed: `Failed to add “${value}” to the courses`,
      async send() {
        const header = ifMatch(version)
        // It is one of them when only the replacement failed before.
        if (!courses.includes(value)) {
          update(await callApi(api.settings.$patch({ json: { courses: [...courses, value] }, header })))
        }
        await replace(value)
      },
    })

  return (
    <div className="flex flex-wrap items-end gap-3">
      <p className="w-full wrap-anywhere">
        <strong>
          {label}: “{value}”
        </strong>{' '}
        in {countOf(count, 'row')} is not one of the listed options.
      </p>
      <SelectField
        name={`replace-${field}-${value}`}
        label={`Use instead of “${value}”`}
        density="compact"
        options={choices}
        placeholder="Choose…"
        value={to}
        onChange={({ target }) => setTo(target.value)}
      />
      <SmallButton disabled={to === '' || action.isPending} onClick={replaceAll}>
        Use in {countOf(count, 'row')}
      </SmallButton>
      {field === 'course' && (
        <SmallButton disabled={action.isPending} onClick={addCourse}>
          Add “{value}” to the courses
        </SmallButton>
      )}
    </div>
  )
}
