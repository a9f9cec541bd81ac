import { clsx } from 'clsx'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ExpiredRecords } from '#shared/retention.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { useHeldSession } from '#web/components/held-session.ts'
import { UnsavedPrompt } from '#web/components/unsaved-prompt.tsx'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { useUnsavedGuard } from '#web/lib/unsaved-guard.ts'
import { ContactSection, DataProtectionSection } from './contact-section.tsx'
import { CoursesSection } from './courses-section.tsx'
import { FeaturesSection } from './features-section.tsx'
import { HeroSection } from './hero-section.tsx'
import { LogoSection } from './logo-section.tsx'
import { MailSection } from './mail-section.tsx'
import { MaintenanceSection } from './maintenance-section.tsx'
import { RetentionSection } from './retention-section.tsx'
import { SchoolSection } from './school-section.tsx'
import { Card } from './section-card.tsx'
import { SemestersSection } from './semesters-section.tsx'
import { TestimonialsSection } from './testimonials-section.tsx'
import { useSection } from './use-section.ts'
import { YearsSection } from './years-section.tsx'

interface SettingsTabProps {
  /** Null while it is being read. */
  expired: ExpiredRecords | null
  /** Making a backup, which another feature does. */
  backup?: ReactNode
  /** The tokens of other programs, likewise. */
  tokens?: ReactNode
}

/** On a phone everything is large enough to touch, and a phone doesn't zoom into a field. */
const touchLook = clsx(
  'max-md:[&_button]:min-h-11 max-md:[&_input:not([type=checkbox])]:min-h-11 max-md:[&_select]:min-h-11',
  'max-md:[&_input]:text-base max-md:[&_select]:text-base max-md:[&_textarea]:text-base',
  // A link to a field shows its label too, below the head of the page.
  '[&_input]:scroll-mt-28',
)

/** 'System Settings' (spec §2 "Other tabs"): every part is saved by itself. */
export function SettingsTab({ expired, backup, tokens }: SettingsTabProps) {
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
  useHeldSession(isUnsaved)

  return (
    <div className={touchLook}>
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
          <RetentionSection section={retention} expired={expired} />
          <MailSection section={mail} />
        </div>
      </div>
      <h2 className="mt-10 text-xl font-bold tracking-tight">Texts of the site</h2>
      <p className="mt-1 text-sm text-muted">What visitors read. A change shows on open pages at once.</p>
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
      <UnsavedPrompt
        what="on this screen"
        open={guard.isAsking}
        onDiscard={guard.discard}
        onKeep={guard.keep}
      />
    </div>
  )
}
