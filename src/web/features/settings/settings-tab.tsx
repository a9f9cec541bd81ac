import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { currentAcademicYear } from '#shared/settings/settings.ts'
import { settingsLimits } from '#shared/settings/settings-schema.ts'
import { siteTextLimits } from '#shared/settings/site-texts.ts'
import { academicYearAfter } from '#shared/students/academic-year.ts'
import { isAcademicYear } from '#shared/students/students.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { useDeferredSessionEnd } from '#web/components/deferred-session-end.ts'
import { SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { UnsavedPrompt } from '#web/components/unsaved-prompt.tsx'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { lengthHint } from '#web/lib/number-texts.ts'
import { useUnsavedGuard } from '#web/lib/unsaved-guard.ts'
import { ListEditor } from './entries-editor.tsx'
import { FeaturesSection, SemestersSection, TestimonialsSection } from './entries-sections.tsx'
import { Card, NumberFields, oneLine, SectionCard } from './section-card.tsx'
import { settingLabels } from './setting-texts.ts'
import { ContactSection, DataProtectionSection, LogoSection, RetentionSection } from './site-sections.tsx'
import { type Section, useSection } from './use-section.ts'

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

/** Spec §2 "Other tabs". Each part is saved separately. */
export function SettingsTab({ backup, tokens }: SettingsTabProps) {
  const expired = useQuery({
    queryKey: ['students', 'retention'],
    meta: { topics: ['settings'] },
    queryFn: ({ signal }) => callApi(api.retention.$get(undefined, { init: { signal } })),
  })
  const names = useSection('Names updated successfully')
  const years = useSection('Academic years updated successfully')
  const courses = useSection('Courses updated successfully')
  const semesters = useSection('Semesters updated successfully')
  const maintenance = useSection('Maintenance mode updated successfully')
  const retention = useSection('Retention updated successfully')
  const mail = useSection('E-mail limits updated successfully')
  const hero = useSection('Banner updated successfully')
  const features = useSection('Features updated successfully')
  const testimonials = useSection('Testimonials updated successfully')
  const contact = useSection('Contact updated successfully')
  const dataProtection = useSection('Data protection contact updated successfully')
  const office = [names, years, courses, semesters, maintenance, retention, mail]
  const site = [hero, features, testimonials, contact, dataProtection]
  const isUnsaved = [...office, ...site].some((section) => section.isUnsaved)
  const guard = useUnsavedGuard(
    isUnsaved,
    ({ pathname, search }) => pathname === '/admin' && tabOf(search) === 'system-settings',
  )
  useDeferredSessionEnd(isUnsaved)

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
        <div className="mt-4 grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            <SchoolSection section={names} />
            <LogoSection />
            <YearsSection section={years} />
            <CoursesSection section={courses} />
            {tokens && <Card title="API tokens">{tokens}</Card>}
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <MaintenanceSection section={maintenance} />
            <SemestersSection section={semesters} />
            {backup && <Card title="Backup">{backup}</Card>}
            <RetentionSection section={retention} expired={expired.data ?? null} />
            <MailSection section={mail} />
          </div>
        </div>
        <h2 className="mt-10 text-xl font-bold tracking-tight">Site content</h2>
        <p className="mt-1 text-sm text-muted">Shown to visitors. Changes appear on open pages at once.</p>
        <div className="mt-4 grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            <HeroSection section={hero} />
            <FeaturesSection section={features} />
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <ContactSection section={contact} />
            <DataProtectionSection section={dataProtection} />
            <TestimonialsSection section={testimonials} />
          </div>
        </div>
        <UnsavedPrompt open={guard.isAsking} onDiscard={guard.discard} onKeep={guard.keep} />
      </div>
    </TabFrame>
  )
}

function CoursesSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  return (
    <SectionCard
      title="Courses"
      lead="Shown in the enlistment form, in this order. Removing a course does not change existing records."
      section={section}
    >
      <ListEditor
        path="courses"
        noun="Course"
        items={values.courses}
        onChange={(courses) => change({ courses })}
        errorOf={errorOf}
        mostLetters={settingsLimits.courseName}
      />
    </SectionCard>
  )
}

const fields = [
  {
    name: 'mailPerDay',
    hint: 'In any 24 hours. Gmail stops sending for a day after about 500; stay below that. 10% is reserved for confirmations and single e-mails.',
  },
  {
    name: 'mailPerMinute',
    hint: 'Sending too fast may be flagged as spam.',
  },
] as const

function MailSection({ section }: { section: Section }) {
  return (
    <SectionCard
      title="E-mail limits"
      lead="Extra e-mails wait in the outbox and are sent later."
      section={section}
    >
      <NumberFields section={section} fields={fields} className="max-w-md" />
    </SectionCard>
  )
}

function MaintenanceSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const { maintenance } = values
  return (
    <SectionCard
      title="Maintenance Mode"
      lead="Closes registration and shows this message. You can still sign in and work. Students filling in the form keep their answers."
      section={section}
    >
      <label className="flex min-h-11 items-center gap-3 font-semibold">
        <input
          type="checkbox"
          className="size-5 accent-primary"
          checked={maintenance.enabled}
          onChange={({ target }) => change({ maintenance: { ...maintenance, enabled: target.checked } })}
        />
        Close registration
      </label>
      <TextAreaField
        name="maintenance.sentence"
        label="Message to students"
        density="compact"
        rows={2}
        required
        hint={lengthHint(maintenance.sentence, settingsLimits.sentence)}
        value={maintenance.sentence}
        error={errorOf('maintenance.sentence')}
        onChange={({ target }) =>
          change({ maintenance: { ...maintenance, sentence: oneLine(target.value) } })
        }
      />
    </SectionCard>
  )
}

function SchoolSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const fields = [
    {
      name: 'systemName',
      max: settingsLimits.name,
      hint: 'Shown in the header and browser tab.',
      required: true,
    },
    {
      name: 'schoolName',
      max: settingsLimits.schoolName,
      hint: 'Shown under the system name, in the footer and on print forms.',
      required: false,
    },
    {
      name: 'rotcOfficeAddress',
      max: settingsLimits.address,
      hint: values.rotcOfficeAddress
        ? 'Shown in the header of the ROTC form.'
        : 'If blank, the ROTC form prints without an office address.',
      required: false,
    },
  ] as const
  return (
    <SectionCard title="Names" section={section}>
      {fields.map(({ name, max, hint, required }) => (
        <TextField
          key={name}
          name={name}
          label={settingLabels[name]}
          hint={lengthHint(values[name], max) ?? hint}
          required={required}
          density="compact"
          autoComplete="off"
          value={values[name]}
          error={errorOf(name)}
          onChange={({ target }) => change({ [name]: target.value })}
        />
      ))}
    </SectionCard>
  )
}

function HeroSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const { hero } = values
  return (
    <SectionCard
      title={settingLabels.hero}
      lead="Shown first on the home page. The figures below it are fixed."
      section={section}
    >
      <TextField
        name="hero.eyebrow"
        label="Above the title"
        hint={lengthHint(hero.eyebrow, siteTextLimits.eyebrow) ?? 'Leave empty to hide.'}
        density="compact"
        autoComplete="off"
        value={hero.eyebrow}
        error={errorOf('hero.eyebrow')}
        onChange={({ target }) => change({ hero: { ...hero, eyebrow: target.value } })}
      />
      <TextField
        name="hero.title"
        label="Title"
        required
        density="compact"
        autoComplete="off"
        hint={lengthHint(hero.title, siteTextLimits.title)}
        value={hero.title}
        error={errorOf('hero.title')}
        onChange={({ target }) => change({ hero: { ...hero, title: target.value } })}
      />
      <TextAreaField
        name="hero.text"
        label="Text under the title"
        required
        density="compact"
        rows={3}
        hint={lengthHint(hero.text, siteTextLimits.text)}
        value={hero.text}
        error={errorOf('hero.text')}
        onChange={({ target }) => change({ hero: { ...hero, text: oneLine(target.value) } })}
      />
    </SectionCard>
  )
}

function YearsSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const today = calendarDateOf(new Date(), useProgramTimeZone())
  const byCalendar = currentAcademicYear({ ...values, currentAcademicYear: '' }, today)
  const chosen = values.currentAcademicYear
  // Without incomplete input.
  const years = [...new Set(values.academicYears.filter(isAcademicYear))]
  return (
    <SectionCard
      title="Academic years"
      lead="Shown in the enlistment form and filters. Removing a year does not change existing records."
      section={section}
    >
      <SelectField
        name="currentAcademicYear"
        label={settingLabels.currentAcademicYear}
        hint="Preselected in the enlistment form."
        density="compact"
        value={chosen}
        error={errorOf('currentAcademicYear')}
        options={[
          { value: '', label: byCalendar === '' ? 'Automatic' : `Automatic (now ${byCalendar})` },
          ...years,
          ...(chosen === '' || years.includes(chosen)
            ? []
            : [{ value: chosen, label: `${chosen} (removed)` }]),
        ]}
        onChange={({ target }) => change({ currentAcademicYear: target.value })}
      />
      <fieldset>
        <legend className="mb-1.5 text-sm font-semibold">{settingLabels.academicYears}</legend>
        <ListEditor
          path="academicYears"
          noun="Academic year"
          items={values.academicYears}
          onChange={(academicYears) => change({ academicYears })}
          errorOf={errorOf}
          suggestion={academicYearAfter(values.academicYears) ?? ''}
        />
      </fieldset>
    </SectionCard>
  )
}
