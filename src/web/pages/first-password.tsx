import { redirect } from 'react-router'
import { Controls } from '#web/components/controls.tsx'
import { ProfileSection } from '#web/features/auth/profile-section.tsx'
import { PasswordForm } from '#web/features/auth/profile-tab.tsx'
import { orErrorPage } from '#web/lib/api.ts'
import { adminPath, loginPath } from '#web/lib/next-path.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { readUser } from '#web/lib/session.ts'
import { useSite } from '#web/lib/site.ts'
import type { Route } from './+types/first-password'

export const meta = staticMeta({ title: 'Choose your password' })

export async function loader({ context, request }: Route.LoaderArgs) {
  const user = await orErrorPage(readUser(context, request))
  if (!user) throw redirect(loginPath())
  if (user.mustSetUp !== 'password') throw redirect(adminPath)
  return user
}

/** Nothing else is open until the owner has a password of their own. */
export default function FirstPassword({ loaderData: user }: Route.ComponentProps) {
  const { systemName, schoolName } = useSite()
  return (
    // The administration is in English only.
    <div lang="en" className="page-width grid max-w-xl grid-cols-1 gap-4 py-10 md:py-20">
      <h1 className="text-2xl font-bold tracking-tight">Choose your own password</h1>
      <p>This password works only for your first sign-in. Choose a new one to continue.</p>
      <Controls>
        <ProfileSection title="Change Password">
          <PasswordForm
            isFirst
            email={user.email}
            ownWords={[user.email, user.displayName, systemName, schoolName]}
            // A new document: what was loaded before is of a visitor.
            onSaved={() => window.location.assign(adminPath)}
          />
        </ProfileSection>
      </Controls>
    </div>
  )
}
