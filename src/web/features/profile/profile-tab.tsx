import { ArrowLeft, UserRound } from 'lucide-react'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { useLiveRevalidation } from '#web/lib/live-revalidation.ts'
import { useSite } from '#web/lib/site.ts'
import { AccountFacts } from './account-facts.tsx'
import { DeviceList } from './device-list.tsx'
import { PasswordForm } from './password-form.tsx'
import type { ProfileData } from './profile-data.ts'
import { ProfileSection } from './profile-section.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'

interface ProfileTabProps {
  /** What was read last; null while the first of it is being read. */
  data: ProfileData | null
  /** Whether the last reading failed, which stands above the tab. */
  failed: boolean
}

/** The administrator's own account (spec §2 "Other tabs", Profile Settings). */
export function ProfileTab({ data, failed }: ProfileTabProps) {
  // Signing in and out elsewhere changes the list of devices.
  useLiveRevalidation(['session'])
  return (
    <div className="group/profile mx-auto max-w-5xl">
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <h1 className="text-2xl font-bold tracking-tight">Profile Settings</h1>
        <ButtonLink
          to={tabPath('dashboard')}
          replace
          variant="outline"
          size="sm"
          icon={<ArrowLeft aria-hidden="true" className="size-4" />}
        >
          Back to Dashboard
        </ButtonLink>
      </div>
      <div className="mt-4">
        {failed && !data ? (
          <EmptyState icon={<UserRound className="size-8" />} title="The profile could not be loaded." />
        ) : (
          <Sections data={data} />
        )}
      </div>
    </div>
  )
}

function Sections({ data }: { data: ProfileData | null }) {
  const user = data?.user ?? null
  const { systemName, schoolName } = useSite()
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2 print:block">
      <div className="grid min-w-0 gap-4">
        <ProfileSection title="Your account">{user && <AccountFacts user={user} />}</ProfileSection>
        <ProfileSection title="Change Password">
          {user && (
            <PasswordForm
              email={user.email}
              ownWords={[user.email, user.displayName, systemName, schoolName]}
            />
          )}
        </ProfileSection>
      </div>
      <div className="grid min-w-0 gap-4">
        <TwoFactorSection twoFactor={data?.twoFactor ?? null} account={user?.email ?? ''} />
        <ProfileSection title="Signed-in devices">
          {data && <DeviceList devices={data.devices} />}
        </ProfileSection>
      </div>
    </div>
  )
}
