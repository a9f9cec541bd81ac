import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ArrowLeft, ImageUp, Trash2 } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router'
import { imageLimits, imageTypes } from '#shared/files/images.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { currentAcademicYear, type VersionedSettings } from '#shared/settings/settings.ts'
import { settingsLimits } from '#shared/settings/settings-schema.ts'
import { academicYearAfter } from '#shared/students/academic-year.ts'
import { isAcademicYear } from '#shared/students/students.ts'
import { SunMark } from '#web/components/brand.tsx'
import { Button, SmallButton, SmallLink } from '#web/components/button.tsx'
import { FieldErrorText, SelectField } from '#web/components/field.tsx'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { UnsavedGuard } from '#web/components/unsaved-prompt.tsx'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, reading } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { readAddress } from '#web/lib/older-browsers.ts'
import { isOwnComputer } from '#web/lib/own-computer.ts'
import { prepareImage } from '#web/lib/prepare-image.ts'
import { useSettings, useUpdateSettings } from '#web/lib/settings.tsx'
import { DayCode } from './day-code.tsx'
import { ListEditor, SemestersEditor } from './entries-editor.tsx'
import { ExpiredRecordsPanel, useExpiredRecords } from './expired-records.tsx'
import { SectionCard, type SectionForm, SettingsCard } from './section-form.tsx'
import { sections, settingsTitles } from './sections.ts'
import { settingLabels, settingsPath } from './setting-texts.ts'

// Touch size; 16-px text keeps phones from zooming.
const touchClass = clsx(
  'max-md:[&_button]:min-h-11 max-md:[&_input:not([type=checkbox])]:min-h-11 max-md:[&_select]:min-h-11',
  'max-md:[&_input]:text-base max-md:[&_select]:text-base max-md:[&_textarea]:text-base',
  // A link to a field scrolls to its label, below the page header.
  '[&_input]:scroll-mt-4',
)

const columnsClass = 'mt-4 grid grid-cols-1 items-start gap-4 xl:grid-cols-2'
const columnClass = 'flex min-w-0 flex-col gap-4'

/** Each section is saved separately (product 25.1). */
export function SettingsTab({ backup, tokens }: { backup?: ReactNode; tokens?: ReactNode }) {
  const expired = useExpiredRecords()
  const { onlyWithCode } = useSettings()
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set())
  function onUnsaved(title: string, isUnsaved: boolean) {
    setUnsaved(
      (titles) => new Set([...titles].filter((each) => each !== title).concat(isUnsaved ? title : [])),
    )
  }

  return (
    <TabFrame query={expired} failure="Failed to load the settings">
      <div className={touchClass}>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-2xl font-bold tracking-tight">System Settings</h1>
          <SmallLink to={tabPath('dashboard')} replace icon={ArrowLeft}>
            Back to Dashboard
          </SmallLink>
        </div>
        <nav aria-label="Settings" className="mt-3 flex flex-wrap gap-x-1 text-sm">
          {settingsTitles.map((title) => (
            <Link
              key={title}
              to={settingsPath(title)}
              replace
              className="inline-flex min-h-8 items-center rounded-box px-2 font-medium text-primary hover:bg-soft max-md:min-h-11"
            >
              {title}
            </Link>
          ))}
        </nav>
        <div className={columnsClass}>
          <div className={columnClass}>
            <SectionCard section={sections.enlistment} onUnsaved={onUnsaved}>
              {() => onlyWithCode && <DayCode />}
            </SectionCard>
            <SectionCard section={sections.names} onUnsaved={onUnsaved} />
            <LogoSection />
            <SectionCard section={sections.years} onUnsaved={onUnsaved}>
              {(form) => <YearsFields form={form} />}
            </SectionCard>
            <SectionCard section={sections.courses} onUnsaved={onUnsaved}>
              {(form) => (
                <ListEditor
                  form={form}
                  path="courses"
                  noun="Course"
                  max={settingsLimits.courses}
                  mostLetters={settingsLimits.courseName}
                />
              )}
            </SectionCard>
            <SectionCard section={sections.programs} onUnsaved={onUnsaved} />
          </div>
          <div className={columnClass}>
            {backup && <SettingsCard title="Backup">{backup}</SettingsCard>}
            <SectionCard section={sections.semesters} onUnsaved={onUnsaved}>
              {(form) => <SemestersEditor form={form} />}
            </SectionCard>
            <SectionCard section={sections.levelNames} onUnsaved={onUnsaved} />
            <SectionCard section={sections.marking} onUnsaved={onUnsaved} />
            <SectionCard section={sections.office} onUnsaved={onUnsaved} />
            <SectionCard section={sections.signatories} onUnsaved={onUnsaved} />
            <SectionCard section={sections.certificates} onUnsaved={onUnsaved} />
            <SectionCard section={sections.publicAddress} onUnsaved={onUnsaved}>
              {(form) => <PublicAddress form={form} />}
            </SectionCard>
            <SectionCard section={sections.mail} onUnsaved={onUnsaved} />
            <SectionCard section={sections.signIn} onUnsaved={onUnsaved} />
            <SectionCard section={sections.retention} onUnsaved={onUnsaved}>
              {() => <ExpiredRecordsPanel expired={expired.data ?? null} />}
            </SectionCard>
            {tokens && <SettingsCard title="API tokens">{tokens}</SettingsCard>}
          </div>
        </div>
        <h2 className="mt-10 text-xl font-bold tracking-tight">Site content</h2>
        <p className="mt-1 text-sm text-muted">Shown to visitors. Changes appear on open pages at once.</p>
        <div className={columnsClass}>
          <div className={columnClass}>
            <SectionCard section={sections.hero} onUnsaved={onUnsaved} />
            <SectionCard section={sections.features} onUnsaved={onUnsaved} />
          </div>
          <div className={columnClass}>
            <SectionCard section={sections.componentFacts} onUnsaved={onUnsaved} />
            <SectionCard section={sections.termDates} onUnsaved={onUnsaved} />
            <SectionCard section={sections.contact} onUnsaved={onUnsaved} />
            <SectionCard section={sections.dataProtection} onUnsaved={onUnsaved} />
            <SectionCard section={sections.testimonials} onUnsaved={onUnsaved} />
          </div>
        </div>
        <UnsavedGuard
          isUnsaved={unsaved.size > 0}
          staysOpen={({ pathname, search }) => pathname === '/admin' && tabOf(search) === 'system-settings'}
        />
      </div>
    </TabFrame>
  )
}

function YearsFields({ form }: { form: SectionForm }) {
  const settings = useSettings()
  const today = calendarDateOf(new Date(), useProgramTimeZone())
  const { academicYears, currentAcademicYear: chosen } = { ...settings, ...form.values }
  const byCalendar = currentAcademicYear({ ...settings, academicYears, currentAcademicYear: '' }, today)
  // Incomplete input is not offered.
  const years = [...new Set(academicYears.filter(isAcademicYear))]
  return (
    <>
      <SelectField
        name="currentAcademicYear"
        label={settingLabels.currentAcademicYear}
        hint="Preselected in the enlistment form."
        density="compact"
        value={chosen}
        error={form.errorOf('currentAcademicYear')}
        options={[
          { value: '', label: byCalendar === '' ? 'Automatic' : `Automatic (now ${byCalendar})` },
          ...years,
          ...(chosen === '' || years.includes(chosen)
            ? []
            : [{ value: chosen, label: `${chosen} (removed)` }]),
        ]}
        onChange={({ target }) => form.set('currentAcademicYear', target.value)}
      />
      <fieldset>
        <legend className="mb-1.5 text-sm font-semibold">{settingLabels.academicYears}</legend>
        <ListEditor
          form={form}
          path="academicYears"
          noun="Academic year"
          max={settingsLimits.academicYears}
          suggestion={academicYearAfter(academicYears) ?? ''}
        />
      </fieldset>
    </>
  )
}

function PublicAddress({ form }: { form: SectionForm }) {
  const { data } = useQuery({
    queryKey: ['mail-account'],
    queryFn: reading(api.mail.account.$get, undefined),
  })
  const here = useHydrated() ? window.location.origin : ''
  if (data?.isFixed) {
    return (
      <p className="text-sm">
        The server sets it: <strong className="wrap-anywhere">{data.publicAddress}</strong>. The address here
        is not used.
      </p>
    )
  }
  const value: unknown = form.form.getValues('publicAddress')
  const address = typeof value === 'string' ? value : ''
  return (
    <>
      {here !== '' && address !== here && (
        <SmallButton className="self-start wrap-anywhere" onClick={() => form.set('publicAddress', here)}>
          Use {here}
        </SmallButton>
      )}
      {isOwnComputer(readAddress(address)?.hostname ?? '') && (
        <p className="rounded-box bg-warning-soft px-4 py-3 text-sm text-warning">
          This address works on this computer only. Links in e-mails won’t open on other devices.
        </p>
      )}
    </>
  )
}

// Saved at once.
function LogoSection() {
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
    <SettingsCard
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
          <SmallButton
            disabled={isBusy}
            aria-describedby={error === undefined ? undefined : 'logo-error'}
            icon={ImageUp}
            onClick={() => picker.current?.click()}
          >
            {isBusy ? 'Working…' : logo ? 'Replace logo' : 'Choose logo'}
          </SmallButton>
          {logo && (
            <Button
              variant="ghost"
              size="sm"
              disabled={isBusy}
              icon={Trash2}
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
    </SettingsCard>
  )
}
