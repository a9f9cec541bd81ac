import { data, redirect } from 'react-router'
import { registrationComponents } from '#shared/students/student-choices.ts'
import { bodyOf, submissionKeyOf, textOf, valuesOf } from '#web/features/registration/form-values.ts'
import { readReference } from '#web/features/registration/receipt.ts'
import { RegisterPage } from '#web/features/registration/registration-page.tsx'
import { codeAnchor, confirmationPath } from '#web/features/registration/registration-texts.tsx'
import { loadParts } from '#web/features/registration/served-form.tsx'
import { serverApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { pageContext } from '#web/lib/page-context.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { cookiesOf, readForm } from '#web/lib/posted-form.ts'
import type { Route } from './+types/register'

export const meta = staticMeta({
  title: 'Enlistment form',
  description:
    'Enlist for the National Service Training Program (RA 9163): choose ROTC or CWTS and get your reference code in about five minutes.',
})

// The form has its own idempotency key: a copy must not go to another user, nor after an enlistment to the next student.
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders.has('Cache-Control')
    ? actionHeaders
    : { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' }
}

export async function loader({ context, request }: Route.LoaderArgs) {
  await loadParts()
  const enlisted = await readReference(context, request)
  const chosen = new URL(request.url).searchParams.get('component')
  return {
    registration: context.get(pageContext).registration(),
    component: registrationComponents.find((component) => component === chosen) ?? '',
    idempotencyKey: crypto.randomUUID(),
    enlisted,
  }
}

// Links load the document, which has the form: scripts first take three times as long on a slow
// line. Without its HTML the form's scripts load with its data.
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const [loaded] = await Promise.all([serverLoader(), loadParts()])
  return loaded
}

/** The plain post: the same call as with scripts. */
export async function action({ context, request }: Route.ActionArgs) {
  const form = await readForm(request)
  const values = valuesOf(form)
  const idempotencyKey = submissionKeyOf(form)
  try {
    const response = await serverApi(context, request).registrations.$post({
      json: bodyOf(values),
      header: { 'idempotency-key': idempotencyKey, 'registration-challenge': textOf(form, 'challenge') },
    })
    return redirect(`${confirmationPath}#${codeAnchor}`, { status: 303, headers: cookiesOf(response) })
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    const { code, detail, errors = [], status, challenge } = error.problem
    const refused = { code, sentence: detail, errors, values, idempotencyKey, challenge }
    return data(refused, { status, headers: { 'Cache-Control': 'no-store' } })
  }
}

export default function Register({ loaderData, actionData }: Route.ComponentProps) {
  return <RegisterPage {...loaderData} refused={actionData} />
}
