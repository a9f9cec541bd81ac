import { type ReactNode, useId, useRef, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextField } from '#web/components/field.tsx'
import { settingLabels, settingText } from './setting-texts.ts'
import type { Section } from './use-section.ts'

export function Card({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-box border bg-card p-4 shadow-card sm:p-5">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {lead && <p className="mt-1 text-sm text-muted">{lead}</p>}
      <div className="mt-4">{children}</div>
    </section>
  )
}

interface SectionCardProps {
  title: string
  lead?: ReactNode
  section: Section
  children: ReactNode
}

/** Saved separately; a refusal focuses the first wrong field. */
export function SectionCard({ title, lead, section, children }: SectionCardProps) {
  const form = useRef<HTMLFormElement>(null)
  const { isUnsaved, isSaving, failure, conflicts } = section
  const focusSave = () => form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus()

  async function submit() {
    await section.save()
    // The errors come with the next render.
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }

  return (
    <Card title={title} lead={lead}>
      <form
        ref={form}
        noValidate
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
        className="flex flex-col gap-4"
      >
        {children}
        {conflicts.length > 0 && <ConflictNotice section={section} onChosen={focusSave} />}
        {failure && <ErrorBanner message={`Not saved. ${failure}`} />}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" size="sm" aria-disabled={!isUnsaved || isSaving || conflicts.length > 0}>
            {isSaving ? 'Saving…' : 'Save'}
          </Button>
          {isUnsaved && (
            <>
              <Button
                variant="ghost"
                size="sm"
                disabled={isSaving}
                onClick={() => {
                  section.discard()
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
      </form>
    </Card>
  )
}

function ConflictNotice({
  section: { conflicts, settings, base, keepMine, discard },
  onChosen,
}: {
  section: Section
  onChosen: () => void
}) {
  function choose(decide: () => void) {
    decide()
    onChosen()
  }

  return (
    <div role="alert" className="rounded-box border border-warning bg-warning-soft px-4 py-3 text-sm">
      <p className="font-semibold text-warning">
        These settings were changed elsewhere while you were editing. Your changes are not saved yet.
      </p>
      <dl className="mt-2 flex flex-col gap-1">
        {conflicts.map((name) => (
          <div key={name} className="wrap-anywhere">
            <dt className="inline font-semibold">{settingLabels[name]}</dt>{' '}
            <dd className="inline">is now: {settingText(name, settings, base)}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="outline" size="sm" onClick={() => choose(keepMine)}>
          Keep my changes
        </Button>
        <Button variant="outline" size="sm" onClick={() => choose(discard)}>
          Use the other version
        </Button>
      </div>
    </div>
  )
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}

type NumberSetting = 'recordRetentionYears' | 'auditRetentionMonths' | 'mailPerDay' | 'mailPerMinute'

interface NumberFieldProps {
  section: Section
  name: NumberSetting
  hint: string
  className: string
}

interface NumberFieldsProps extends Pick<NumberFieldProps, 'section' | 'className'> {
  fields: readonly { name: NumberSetting; hint: string }[]
}

export function NumberFields({ section, fields, className }: NumberFieldsProps) {
  return fields.map(({ name, hint }) => (
    <NumberField key={name} section={section} name={name} hint={hint} className={className} />
  ))
}

// A text input: a number input drops typed letters and counts on the wheel.
function NumberField({ section: { values, change, errorOf }, name, hint, className }: NumberFieldProps) {
  const [typed, setTyped] = useState('')
  const value = values[name]
  // Another number than the typed one: the edit was discarded, or the setting changed elsewhere.
  const text = Object.is(readWholeNumber(typed), value) ? typed : String(value)
  return (
    <TextField
      name={name}
      label={settingLabels[name]}
      hint={hint}
      required
      density="compact"
      className={className}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      error={errorOf(name)}
      onChange={({ target }) => {
        setTyped(target.value)
        change({ [name]: readWholeNumber(target.value) })
      }}
    />
  )
}

// Also grouped: 1,000.
const wholeNumber = /^(\d+|\d{1,3}(,\d{3})+)$/

/** NaN for anything else, which every rule refuses. */
export function readWholeNumber(typed: string): number {
  const text = typed.trim()
  return wholeNumber.test(text) ? Number(text.replaceAll(',', '')) : Number.NaN
}
