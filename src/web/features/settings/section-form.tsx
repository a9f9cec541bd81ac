import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useLocation } from 'react-router'
import { type VersionedSettings, withDefaults } from '#shared/settings/settings.ts'
import { problemsOfChange, settingsMessages } from '#shared/settings/settings-schema.ts'
import { Button } from '#web/components/button.tsx'
import { Card } from '#web/components/card.tsx'
import { isHalfTyped, SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import { type EditForm, Form } from '#web/components/form.tsx'
import { SubmitButton } from '#web/components/form-foot.tsx'
import { useRecordForm } from '#web/components/record-form.ts'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { lengthHint } from '#web/lib/number-texts.ts'
import { useSettings, useUpdateSettings } from '#web/lib/settings.tsx'
import { EntriesEditor } from './entries-editor.tsx'
import { type FieldSpec, namesOf, type SectionSpec } from './sections.ts'
import { isSettingName, settingLabels, settingsAnchor, settingText } from './setting-texts.ts'

interface SettingsCardProps {
  title: string
  lead?: ReactNode
  children: ReactNode
}

/** A link to its place in the address, or to that of a field in it, leads here. */
export function SettingsCard({ title, ...card }: SettingsCardProps) {
  const { hash, key } = useLocation()
  // A document load shows the page of the address only then.
  const isHydrated = useHydrated()
  const section = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link leads here again
  useEffect(() => {
    const place = document.getElementById(hash.slice(1))
    if (place === null || !section.current?.contains(place)) return
    place.scrollIntoView()
    place.focus({ preventScroll: true })
  }, [hash, key, isHydrated])
  return <Card ref={section} id={settingsAnchor(title)} tabIndex={-1} title={title} {...card} />
}

export type SectionForm = EditForm<FieldValues>

interface SectionCardProps {
  section: SectionSpec
  onUnsaved: (title: string, isUnsaved: boolean) => void
  /** Controls that only this section has. */
  children?: ((form: SectionForm) => ReactNode) | undefined
}

/** Saved separately from the others. */
export function SectionCard({ section, onUnsaved, children }: SectionCardProps) {
  const { title, lead, entries } = section
  const fields: readonly FieldSpec[] = section.fields ?? []
  const names = namesOf(section)
  const settings = useSettings()
  const update = useUpdateSettings()
  const form = useRecordForm<VersionedSettings, FieldValues, VersionedSettings>({
    topics: ['settings'],
    stored: settings,
    what: 'section',
    labels: settingLabels,
    textOf: (name, values) =>
      isSettingName(name) ? settingText(name, { ...settings, ...values }, settings) : '',
    valuesOf: (all) => Object.fromEntries(names.map((name) => [name, all[name]])),
    async read() {
      const now = withDefaults(await callApi(api.settings.$get()))
      update(now)
      return now
    },
    problemsOf: (change) => [
      ...fields
        .filter(({ path }) => isHalfTyped(path))
        .map(({ path }) => ({ path, message: settingsMessages.localTime })),
      ...problemsOfChange(settings, change),
    ],
    whatFailed: 'Not saved',
    send(values, { version, changed }) {
      const json = Object.fromEntries(changed.map((name) => [name, values[name]]))
      return callApi(api.settings.$patch({ json, header: ifMatch(version) }))
    },
    done: `${title} updated successfully`,
    onDone: update,
    onDirty: (isDirty) => onUnsaved(title, isDirty),
  })
  const isSaving = form.phase === 'sending'
  const focusSave = () => document.getElementById(`${form.id}-save`)?.focus()

  return (
    <SettingsCard title={title} lead={lead}>
      <Form form={form} label={title} className="flex flex-col gap-4" isGuarded={false}>
        {fields
          .filter(({ shownWhile: wanted }) => !wanted || form.form.getValues(wanted[0]) === wanted[1])
          .map((field) => (
            <SettingField key={field.path} form={form} field={field} path={field.path} />
          ))}
        {entries && (
          <EntriesEditor form={form} spec={entries}>
            {(field, path) => <SettingField key={path} form={form} field={field} path={path} />}
          </EntriesEditor>
        )}
        {children?.(form)}
        <div className="flex flex-wrap items-center gap-2">
          <SubmitButton form={form} id={`${form.id}-save`} size="sm" label="Save" isIdle={!form.isDirty} />
          {form.isDirty && (
            <>
              <Button
                variant="ghost"
                size="sm"
                disabled={isSaving}
                onClick={() => {
                  form.discard()
                  // This button is removed.
                  focusSave()
                }}
              >
                Discard changes
              </Button>
              <span className="text-sm text-muted">Unsaved changes</span>
            </>
          )}
        </div>
      </Form>
    </SettingsCard>
  )
}

function SettingField({ form, field, path }: { form: SectionForm; field: FieldSpec; path: string }) {
  const { kind = 'line', max, isRequired, options = [] } = field
  const { label = isSettingName(path) ? settingLabels[path] : '' } = field
  const value: unknown = form.form.getValues(path)
  const text = typeof value === 'string' ? value : ''
  const common = {
    name: path,
    label,
    required: isRequired,
    density: 'compact',
    hint: (max === undefined ? undefined : lengthHint(text, max)) ?? field.hint,
    error: form.errorOf(path),
    value: text,
  } as const
  switch (kind) {
    case 'checkbox':
      return (
        <label className="flex min-h-11 items-center gap-3 font-semibold">
          <input
            type="checkbox"
            className="size-5 accent-primary"
            checked={value === true}
            onChange={({ target }) => form.set(path, target.checked)}
          />
          {label}
        </label>
      )
    case 'choice':
      return (
        <SelectField {...common} options={options} onChange={({ target }) => form.set(path, target.value)} />
      )
    case 'course':
      return <CourseField {...common} onChange={({ target }) => form.set(path, target.value)} />
    case 'text':
      return (
        <TextAreaField
          {...common}
          rows={3}
          onChange={({ target }) => form.set(path, target.value.replaceAll(/\s*\n\s*/g, ' '))}
        />
      )
    case 'lines':
      return <TextAreaField {...common} rows={11} onChange={({ target }) => form.set(path, target.value)} />
    case 'number':
    case 'optional number':
      return (
        <NumberField
          {...common}
          required={kind === 'number'}
          number={value}
          onNumber={(number) => form.set(path, number)}
        />
      )
    default:
      return (
        <TextField
          {...common}
          type={kind === 'line' ? 'text' : kind}
          autoComplete="off"
          onChange={({ target }) => form.set(path, target.value)}
        />
      )
  }
}

/** The field also offers a chosen course that was removed from the list. */
function CourseField(field: Omit<ComponentProps<typeof SelectField>, 'options'> & { value: string }) {
  const { courses } = useSettings()
  const options = [...new Set([...courses, field.value])].filter(Boolean)
  return <SelectField {...field} options={options} placeholder="Choose…" />
}

interface NumberFieldProps {
  name: string
  label: string
  hint: string | undefined
  error: string | undefined
  required: boolean
  number: unknown
  /** Null for an empty optional field. */
  onNumber: (number: number | null) => void
}

// A text input: a number input drops typed letters and counts on the wheel.
function NumberField({ number, onNumber, ...field }: NumberFieldProps) {
  const [typed, setTyped] = useState('')
  const read = (text: string) => (text.trim() === '' && !field.required ? null : readWholeNumber(text))
  // Another number than the typed one: the edit was discarded, or the setting changed elsewhere.
  const text = Object.is(read(typed), number) ? typed : String(number ?? '')
  return (
    <TextField
      {...field}
      density="compact"
      className="max-w-xs"
      inputMode="numeric"
      autoComplete="off"
      value={text}
      onChange={({ target }) => {
        setTyped(target.value)
        onNumber(read(target.value))
      }}
    />
  )
}

// A number may be grouped: 1,000.
const wholeNumber = /^(\d+|\d{1,3}(,\d{3})+)$/

/** NaN for anything else, which every rule refuses. */
export function readWholeNumber(typed: string): number {
  const text = typed.trim()
  return wholeNumber.test(text) ? Number(text.replaceAll(',', '')) : Number.NaN
}
