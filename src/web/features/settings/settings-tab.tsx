import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { currentAcademicYear } from '#shared/settings/settings.ts'
import { settingsLimits } from '#shared/settings/settings-schema.ts'
import { academicYearAfter } from '#shared/students/academic-year.ts'
import { isAcademicYear } from '#shared/students/students.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { SelectField } from '#web/components/field.tsx'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { UnsavedGuard } from '#web/components/unsaved-prompt.tsx'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { ListEditor } from './entries-editor.tsx'
import { ExpiredRecordsPanel } from './expired-records.tsx'
import { LogoSection } from './logo-section.tsx'
import { Card, SectionCard, type SectionForm } from './section-form.tsx'
import { sections } from './sections.ts'
import { SemestersEditor } from './semesters-editor.tsx'
import { settingLabels } from './setting-texts.ts'

interface SettingsTabProps {
  backup?: ReactNode
  tokens?: ReactNode
}

// Touch size; 16-px text keeps phones from zooming.
const touchClass = clsx(
  'max-md:[&_button]:min-h-11 max-md:[&_input:not([type=checkbox])]:min-h-11 max-md:[&_select]:min-h-11',
  'max-md:[&_input]:text-base max-md:[&_select]:text-base max-md:[&_textarea]:text-base',
  // A link to a field scrolls to its label, below the page header.
  '[&_input]:scroll-mt-28',
)

const columnsClass = 'mt-4 grid grid-cols-1 items-start gap-4 xl:grid-cols-2'
const columnClass = 'flex min-w-0 flex-col gap-4'

/** Spec §2 "Other tabs". Each section is saved separately. */
export function SettingsTab({ backup, tokens }: SettingsTabProps) {
  const expired = useQuery({
    queryKey: ['students', 'retention'],
    meta: { topics: ['settings'] },
    queryFn: ({ signal }) => callApi(api.retention.$get(undefined, { init: { signal } })),
  })
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
          <ButtonLink
            to={tabPath('dashboard')}
            replace
            variant="outline"
            size="sm"
            className="max-md:min-h-11"
            icon={<ArrowLeft aria-hidden="true" className="size-4" />}
          >
            Back to Dashboard
          </ButtonLink>
        </div>
        <div className={columnsClass}>
          <div className={columnClass}>
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
            {tokens && <Card title="API tokens">{tokens}</Card>}
          </div>
          <div className={columnClass}>
            <SectionCard section={sections.maintenance} onUnsaved={onUnsaved} />
            <SectionCard section={sections.semesters} onUnsaved={onUnsaved}>
              {(form) => <SemestersEditor form={form} />}
            </SectionCard>
            {backup && <Card title="Backup">{backup}</Card>}
            <SectionCard section={sections.retention} onUnsaved={onUnsaved}>
              {() => <ExpiredRecordsPanel expired={expired.data ?? null} />}
            </SectionCard>
            <SectionCard section={sections.mail} onUnsaved={onUnsaved} />
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
  // Without incomplete input.
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
