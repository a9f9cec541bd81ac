import type { ManagedAnnouncement } from '#shared/announcements.ts'
import { TextField } from '#web/components/text-field.tsx'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import type { Publication } from './announcement-values.ts'
import type { AnnouncementForm } from './use-announcement-form.ts'

interface PublicationFieldsProps {
  form: AnnouncementForm
  /** As the announcement is; null for a new one. */
  held: ManagedAnnouncement | null
}

/** Since when and until when an announcement is public, by the program's clocks. */
export function PublicationFields({ form, held }: PublicationFieldsProps) {
  const { values, change, errorOf, timeZone } = form
  const { momentOf } = useInstantTexts()
  const since = held !== null && held.publishAt !== null && held.state !== 'scheduled' ? held.publishAt : null
  const choices: readonly { value: Publication; label: string }[] = [
    { value: 'now', label: since === null ? 'Publish now' : `Published since ${momentOf(since)}` },
    { value: 'at', label: since === null ? 'Publish at a time' : 'Publish anew at a time' },
    { value: 'draft', label: since === null ? 'Keep as a draft' : 'Take back as a draft' },
  ]
  const zone = `By the program’s clocks (${timeZone.replaceAll('_', ' ')})`
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-semibold">Publication</legend>
      {choices.map(({ value, label }) => (
        <label
          key={value}
          className="flex min-h-10 items-center gap-2.5 rounded-box border border-edge px-3 py-1.5 text-sm has-checked:border-primary has-checked:bg-primary-soft"
        >
          <input
            type="radio"
            name="publication"
            value={value}
            checked={values.publication === value}
            onChange={() => change({ publication: value })}
            className="size-4.5 shrink-0 accent-primary"
          />
          {label}
        </label>
      ))}
      {values.publication === 'at' && (
        <TextField
          type="datetime-local"
          name="publishAt"
          label="Publish at"
          required
          density="compact"
          hint={zone}
          value={values.publishAt}
          error={errorOf('publishAt')}
          onChange={({ target }) => change({ publishAt: target.value })}
        />
      )}
      <TextField
        type="datetime-local"
        name="expireAt"
        label="Take down at (optional)"
        density="compact"
        hint={zone}
        value={values.expireAt}
        error={errorOf('expireAt')}
        onChange={({ target }) => change({ expireAt: target.value })}
      />
    </fieldset>
  )
}
