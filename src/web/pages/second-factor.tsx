import { redirect } from 'react-router'
import { Controls } from '#web/components/controls.tsx'
import { TwoFactorSection } from '#web/features/auth/two-factor-section.tsx'
import { orErrorPage } from '#web/lib/api.ts'
import { instantTexts, useProgramTimeZone } from '#web/lib/date-texts.ts'
import { adminPath, loginPath, setUpPaths } from '#web/lib/next-path.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { readUser } from '#web/lib/session.ts'
import type { Route } from './+types/second-factor'

export const meta = staticMeta({ title: 'Set up two-factor sign-in' })

export async function loader({ context, request }: Route.LoaderArgs) {
  const user = await orErrorPage(readUser(context, request))
  if (!user) throw redirect(loginPath())
  if (user.mustSetUp === 'password') throw redirect(setUpPaths.password)
  const { email, mustSetUp, secondFactorDue } = user
  if (!secondFactorDue) throw redirect(adminPath)
  return { email, isDue: mustSetUp !== undefined, due: secondFactorDue }
}

// Nothing is read again when two-factor sign-in is turned on: the recovery codes are still to be saved.
export const shouldRevalidate = () => false

const off = { isOn: false, isRequired: true, since: null, recoveryCodesLeft: 0 }

/** Nothing else is open to the account after the week of grace. */
export default function SecondFactor({ loaderData: { email, isDue, due } }: Route.ComponentProps) {
  const { momentOf } = instantTexts(useProgramTimeZone())
  return (
    // The administration is in English only.
    <div lang="en" className="page-width grid max-w-xl grid-cols-1 gap-4 py-10 md:py-20">
      <h1 className="text-2xl font-bold tracking-tight">Set up two-factor sign-in</h1>
      <p>
        Your school requires it.{' '}
        {isDue
          ? 'Set it up to continue.'
          : `You can work without it until ${momentOf(due)}. After that, you can open only this page.`}
      </p>
      <Controls>
        <TwoFactorSection
          twoFactor={off}
          account={email}
          // A new document: what was loaded before is of a visitor.
          onSaved={() => window.location.assign(adminPath)}
        />
      </Controls>
    </div>
  )
}
