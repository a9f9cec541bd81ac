import { Plus, X } from 'lucide-react'
import type { FieldValues } from 'react-hook-form'
import type { SemesterDefinition } from '#shared/periods.ts'
import { settingsLimits } from '#shared/settings/settings-schema.ts'
import { Button, IconButton } from '#web/components/button.tsx'
import { FieldErrorText, SelectField, TextField } from '#web/components/field.tsx'
import type { EditForm } from '#web/components/form.tsx'
import { useFocusAfterRender } from '#web/lib/focus.ts'
import { lengthHint } from '#web/lib/number-texts.ts'
import { monthNames } from './setting-texts.ts'

const monthOptions = monthNames.map((label, index) => ({ value: String(index + 1), label }))

export function SemestersEditor({ form }: { form: EditForm<FieldValues> }) {
  const { errorOf } = form
  const semesters: readonly SemesterDefinition[] = form.form.getValues('semesters')
  const ofWhole = errorOf('semesters')
  const focusNext = useFocusAfterRender()

  function edit(index: number, part: Partial<SemesterDefinition>) {
    form.set(
      'semesters',
      semesters.map((old, at) => (at === index ? { ...old, ...part } : old)),
    )
  }

  return (
    <>
      <ol className="flex flex-col gap-4">
        {semesters.map((semester, index) => {
          const path = `semesters.${index}`
          const title = semester.name.trim() || `Semester ${index + 1}`
          return (
            <li
              // Semesters are identified by their index; the controls have no state.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              key={index}
              className="grid grid-cols-[1fr_1fr_auto] gap-x-3 gap-y-2"
            >
              <TextField
                name={nameId(index)}
                label={`Semester ${index + 1}`}
                required
                density="compact"
                className="col-span-2"
                hint={lengthHint(semester.name, settingsLimits.name)}
                autoComplete="off"
                value={semester.name}
                error={errorOf(nameId(index)) ?? errorOf(path)}
                onChange={({ target }) => edit(index, { name: target.value })}
              />
              {(['firstMonth', 'lastMonth'] as const).map((month) => (
                <SelectField
                  key={month}
                  name={`${path}.${month}`}
                  label={month === 'firstMonth' ? 'From' : 'To'}
                  aria-label={`${title}: ${month === 'firstMonth' ? 'first' : 'last'} month`}
                  density="compact"
                  options={monthOptions}
                  value={String(semester[month])}
                  error={errorOf(`${path}.${month}`)}
                  onChange={({ target }) => edit(index, { [month]: Number(target.value) })}
                />
              ))}
              <IconButton
                label={`Remove ${title}`}
                // Beside the name's control, whether or not it has an error.
                className="col-start-3 row-start-1 mt-6.5 max-md:size-11"
                disabled={semesters.length === 1}
                onClick={() => {
                  form.set('semesters', semesters.toSpliced(index, 1))
                  focusNext(nameId(Math.min(index, semesters.length - 2)))
                }}
              >
                <X aria-hidden="true" className="size-4" />
              </IconButton>
            </li>
          )
        })}
      </ol>
      {ofWhole !== undefined && <FieldErrorText id="semesters-error">{ofWhole}</FieldErrorText>}
      {semesters.length < settingsLimits.semesters && (
        <div>
          <Button
            variant="outline"
            size="sm"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => {
              form.set('semesters', [...semesters, nextSemester(semesters)])
              focusNext(nameId(semesters.length))
            }}
          >
            Add a semester
          </Button>
        </div>
      )}
    </>
  )
}

function nameId(index: number): string {
  return `semesters.${index}.name`
}

function nextSemester(semesters: readonly SemesterDefinition[]): SemesterDefinition {
  const month = ((semesters.at(-1)?.lastMonth ?? 0) % 12) + 1
  return { name: '', firstMonth: month, lastMonth: month }
}
