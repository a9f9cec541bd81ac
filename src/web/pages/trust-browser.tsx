import { data, Form, redirect } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { uncachedHeaders } from '#web/lib/administrator.ts'
import { serverApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { loginPath } from '#web/lib/next-path.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { cookiesOf, readForm } from '#web/lib/posted-form.ts'
import type { Route } from './+types/trust-browser'

export const meta = staticMeta({ title: 'Trust this browser' })

export const headers = uncachedHeaders

export const loader = ({ request }: Route.LoaderArgs) => ({
  link: new URL(request.url).searchParams.get('link') ?? '',
})

export async function action({ context, request }: Route.ActionArgs) {
  const link = (await readForm(request)).get('link')
  try {
    const json = { link: typeof link === 'string' ? link : '' }
    const response = await serverApi(context, request).session.device.$post({ json })
    return redirect(loginPath(), { headers: cookiesOf(response) })
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    return data({ sentence: error.message }, { status: error.problem.status })
  }
}

/** Security: a page with a button, because a chat's preview opens links and would use it up. */
export default function TrustBrowser({ loaderData: { link }, actionData }: Route.ComponentProps) {
  return (
    // The administration is in English only.
    <div lang="en" className="page-width grid grid-cols-1 place-items-center py-10 md:py-20">
      <div className="grid w-full max-w-md gap-5 rounded-box border bg-card p-6 shadow-card sm:p-8">
        <h1 className="text-2xl font-bold tracking-tight">Trust this browser</h1>
        {actionData && <ErrorBanner message={actionData.sentence} />}
        <p>
          You can then sign in with this browser even while others guess passwords. Trust only a device that
          you alone use.
        </p>
        <Form method="post">
          <input type="hidden" name="link" value={link} />
          <Button type="submit" className="w-full">
            Trust this browser
          </Button>
        </Form>
      </div>
    </div>
  )
}
