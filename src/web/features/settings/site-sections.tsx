import { ImageUp, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { imageLimits, imageTypes } from '#shared/files/images.ts'
import type { ExpiredRecords, VersionedSettings } from '#shared/settings/settings.ts'
import { siteTextLimits } from '#shared/settings/site-texts.ts'
import { SunMark } from '#web/components/brand.tsx'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { FieldErrorText, TextField } from '#web/components/field.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { countOf, lengthHint } from '#web/lib/number-texts.ts'
import { prepareImage } from '#web/lib/prepare-image.ts'
import { useSettings, useUpdateSettings } from '#web/lib/settings.tsx'
import { Card, NumberFields, SectionCard } from './section-card.tsx'
import { settingLabels } from './setting-texts.ts'
import type { Section } from './use-section.ts'

const officeFields = [
  { name: 'office', label: 'Office name', type: 'text', most: siteTextLimits.line },
  { name: 'address', label: 'Address', type: 'text', most: siteTextLimits.address },
  { name: 'email', label: 'E-mail address', type: 'email', most: siteTextLimits.email },
  { name: 'phone', label: 'Phone number', type: 'tel', most: siteTextLimits.phone },
  { name: 'hours', label: 'Office hours', type: 'text', most: siteTextLimits.line },
] as const

export function ContactSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const { contact } = values
  return (
    <SectionCard
      title={settingLabels.contact}
      lead="Shown on the Contact page. Leave fields empty to hide them."
      section={section}
    >
      {officeFields.map(({ name, label, type, most }) => (
        <TextField
          key={name}
          name={`contact.${name}`}
          label={label}
          type={type}
          required={name === 'office'}
          density="compact"
          autoComplete="off"
          hint={lengthHint(contact[name], most)}
          value={contact[name]}
          error={errorOf(`contact.${name}`)}
          onChange={({ target }) => change({ contact: { ...contact, [name]: target.value } })}
        />
      ))}
    </SectionCard>
  )
}

const officerFields = [
  { name: 'officer', label: 'Name of the data protection officer', type: 'text', most: siteTextLimits.line },
  { name: 'email', label: 'E-mail address', type: 'email', most: siteTextLimits.email },
  { name: 'phone', label: 'Phone number', type: 'tel', most: siteTextLimits.phone },
] as const

export function DataProtectionSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const { dataProtection } = values
  return (
    <SectionCard
      title={settingLabels.dataProtection}
      lead="Shown in the privacy notice and on the Contact page, for questions about personal data (Republic Act 10173). Leave fields empty to hide them."
      section={section}
    >
      {officerFields.map(({ name, label, type, most }) => (
        <TextField
          key={name}
          name={`dataProtection.${name}`}
          label={label}
          type={type}
          density="compact"
          autoComplete="off"
          hint={lengthHint(dataProtection[name], most)}
          value={dataProtection[name]}
          error={errorOf(`dataProtection.${name}`)}
          onChange={({ target }) => change({ dataProtection: { ...dataProtection, [name]: target.value } })}
        />
      ))}
    </SectionCard>
  )
}

// Saved at once.
export function LogoSection() {
  const { logo } = useSettings()
  const update = useUpdateSettings()
  const picker = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function apply(work: () => Promise<VersionedSettings>, done: string) {
    setError(undefined)
    setBusy(true)
    try {
      update(await work())
      showToast({ type: 'success', message: done })
    } catch (failure) {
      setError(sentenceOf(failure))
    } finally {
      setBusy(false)
    }
  }

  async function upload(chosen: File) {
    setError(undefined)
    setBusy(true)
    const prepared = await prepareImage(chosen, imageLimits.logo)
    setBusy(false)
    if ('problem' in prepared) return setError(prepared.problem)
    const { image, note } = prepared
    const done = note === '' ? 'Logo updated successfully' : `Logo updated successfully. ${note}`
    await apply(() => callApi(api.settings.logo.$put({ form: { image } })), done)
  }

  return (
    <Card
      title="Logo"
      lead="Shown on every page and on print forms. JPEG, PNG, GIF or WEBP. Up to 2 MB. Large images are resized. Animated GIFs become still images."
    >
      <div className="flex flex-wrap items-center gap-4">
        <span className="grid size-24 shrink-0 place-items-center rounded-box border bg-soft p-2">
          {logo ? (
            <img src={logo.url} alt="Current logo" className="size-full object-contain" />
          ) : (
            <SunMark className="size-12 text-muted" />
          )}
        </span>
        <div className="flex flex-wrap gap-2">
          <input
            ref={picker}
            type="file"
            accept={imageTypes.join()}
            aria-label="Logo file"
            tabIndex={-1}
            className="sr-only"
            onChange={({ target }) => {
              const [image] = target.files ?? []
              if (image) void upload(image)
              // The same file may be chosen again after it was changed.
              target.value = ''
            }}
          />
          <Button
            variant="outline"
            size="sm"
            disabled={isBusy}
            aria-describedby={error === undefined ? undefined : 'logo-error'}
            icon={<ImageUp aria-hidden="true" className="size-4" />}
            onClick={() => picker.current?.click()}
          >
            {isBusy ? 'Working…' : logo ? 'Replace logo' : 'Choose logo'}
          </Button>
          {logo && (
            <Button
              variant="ghost"
              size="sm"
              disabled={isBusy}
              icon={<Trash2 aria-hidden="true" className="size-4" />}
              onClick={() =>
                void apply(() => callApi(api.settings.logo.$delete()), 'Logo removed successfully')
              }
            >
              Remove
            </Button>
          )}
        </div>
      </div>
      <div role="alert" className="mt-2">
        {error !== undefined && <FieldErrorText id="logo-error">{error}</FieldErrorText>}
      </div>
    </Card>
  )
}

interface RetentionSectionProps {
  section: Section
  expired: ExpiredRecords | null
}

export function RetentionSection({ section, expired }: RetentionSectionProps) {
  const fields = [
    {
      name: 'recordRetentionYears',
      hint: 'Counted from when a record was archived. Shown in the privacy notice.',
    },
    {
      name: 'auditRetentionMonths',
      hint: 'Older audit entries are deleted automatically.',
    },
  ] as const
  return (
    <SectionCard title="Retention" section={section}>
      <NumberFields section={section} fields={fields} className="max-w-xs" />
      <ExpiredRecordsPanel expired={expired} />
    </SectionCard>
  )
}

function ExpiredRecordsPanel({ expired }: { expired: ExpiredRecords | null }) {
  const [isAsking, setAsking] = useState(false)
  const { dayOf } = useInstantTexts()
  if (!expired) return <Skeleton className="h-11 w-full" />
  const { count, years, before } = expired
  return (
    <div className="rounded-box bg-soft px-4 py-3 text-sm">
      <p>
        {count === 0 ? 'No records were' : count === 1 ? '1 record was' : `${countOf(count, 'record')} were`}{' '}
        archived before {dayOf(before)} ({countOf(years, 'year')} ago). Student records are never deleted
        automatically.
      </p>
      {count > 0 && (
        <Button variant="danger" size="sm" className="mt-3" onClick={() => setAsking(true)}>
          Delete {countOf(count, 'record')} permanently
        </Button>
      )}
      <DeleteExpiredModal expired={expired} open={isAsking} onClose={() => setAsking(false)} />
    </div>
  )
}

interface DeleteExpiredModalProps {
  expired: ExpiredRecords
  open: boolean
  onClose: () => void
}

/** The user types the number: only a backup restores these records. */
function DeleteExpiredModal({ expired: { count, years }, open, onClose }: DeleteExpiredModalProps) {
  const [typed, setTyped] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isSure = typed.replaceAll(/[\s,]/g, '') === String(count)
  const records = countOf(count, 'record')

  function close() {
    setTyped('')
    setFailure(undefined)
    onClose()
  }

  async function deleteThem() {
    if (!isSure || isBusy) return
    setBusy(true)
    try {
      await callApi(api.retention.deletions.$post({ json: { count } }))
      showToast({ type: 'success', message: `${records} deleted permanently` })
      close()
    } catch (error) {
      setFailure(sentenceOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal
      open={open}
      onClose={close}
      title={`Delete ${records} permanently?`}
      size="sm"
      footer={
        <>
          <Button variant="outline" size="sm" onClick={close}>
            Cancel
          </Button>
          <Button
            variant="danger"
            size="sm"
            aria-disabled={!isSure || isBusy}
            onClick={() => void deleteThem()}
          >
            {isBusy ? 'Deleting…' : 'Delete permanently'}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void deleteThem()
        }}
      >
        <p>
          This deletes the records of {countOf(count, 'student')} archived more than {countOf(years, 'year')}{' '}
          ago, including their old values in the audit trail. This action cannot be undone.
        </p>
        <TextField
          name="expiredCount"
          label={`Type ${count} to confirm`}
          inputMode="numeric"
          autoComplete="off"
          density="compact"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {failure && <ErrorBanner message={failure} />}
      </form>
    </Modal>
  )
}
