import { CircleCheck } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { Finding } from '#shared/papers/papers-response.ts'
import { fieldChoices } from '#shared/students/student-choices.ts'
import { fieldDefinition, type StudentField } from '#shared/students/student-fields.ts'
import { SelectField, TextField } from '#web/components/field.tsx'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { sendOwn } from '#web/lib/live.ts'
import { useAction } from '#web/lib/query.ts'

type Person = Finding['people'][number]

/** The versions of records that were corrected since the check, by their ids: a record may lack several values. */
export type CorrectedVersions = Map<string, number>

interface TypedValueProps {
  code: string
  person: Person
  typed: NonNullable<Person['typed']>
  versions: CorrectedVersions
  onCorrected: () => void
}

const choices: Partial<Record<StudentField, readonly string[]>> = fieldChoices

/** A value of the record that is typed where the check names it. Enter and Tab save it and go to the next one. */
export function TypedValue({ code, person, typed, versions, onCorrected }: TypedValueProps) {
  const { field } = typed
  const [value, setValue] = useState(typed.value)
  const [saved, setSaved] = useState(typed.value)
  const id = person.ids[0] ?? ''
  const saving = useAction({
    topics: ['students'],
    mutationFn: (text: string) =>
      sendOwn('students', () =>
        callApi(
          api.students[':id'].$patch({
            param: { id },
            query: { reason: 'office', serialMeant: 'false' },
            header: ifMatch(Math.max(versions.get(id) ?? 0, person.versions[0] ?? 0)),
            json: { [field]: text },
          }),
        ),
      ),
    onSuccess({ version }, text) {
      versions.set(id, version)
      setSaved(text)
      onCorrected()
    },
  })
  const save = () => value.trim() !== saved && saving.run(value.trim())

  function goOn(event: KeyboardEvent<HTMLInputElement | HTMLSelectElement>) {
    // In a date Tab goes from the month to the day.
    const isTab = event.key === 'Tab' && !event.shiftKey && field !== 'dateOfBirth'
    if (event.key !== 'Enter' && !isTab) return
    const list = event.currentTarget.closest('ul')
    const all = [...(list?.querySelectorAll<HTMLElement>('[data-typed-value]') ?? [])]
    const next = all[all.indexOf(event.currentTarget) + 1]
    // From the last one Tab goes on as everywhere.
    if (next || !isTab) event.preventDefault()
    if (next) next.focus()
    else save()
  }

  const { label } = fieldDefinition(field)
  const control = {
    name: `${code}-${person.subject}`.replaceAll(' ', '-'),
    label,
    'aria-label': `${label} of ${person.name}`,
    'data-typed-value': '',
    density: 'compact' as const,
    className: 'w-56 max-w-full',
    autoComplete: 'off',
    error: saving.error ? sentenceOf(saving.error) : undefined,
    hint: saved !== '' && saved === value.trim() && saved !== typed.value && (
      <span role="status" className="flex items-center gap-1">
        <CircleCheck aria-hidden="true" className="size-4 text-success" />
        Saved
      </span>
    ),
    value,
    onBlur: save,
    onKeyDown: goOn,
  }
  const offered = choices[field]
  return offered ? (
    <SelectField
      {...control}
      options={offered}
      placeholder="Choose…"
      onChange={({ target }) => setValue(target.value)}
    />
  ) : (
    <TextField
      {...control}
      type={field === 'dateOfBirth' ? 'date' : 'text'}
      onChange={({ target }) => setValue(target.value)}
    />
  )
}
