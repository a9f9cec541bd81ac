import { data, redirect, useSearchParams } from 'react-router'
import { myPath } from '#shared/my/my-path.ts'
import { Entry, SecondStep } from '#web/features/my/entry.tsx'
import { OwnPage } from '#web/features/my/own-page.tsx'
import { callApi, orErrorPage, serverApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { cookiesOf, readForm } from '#web/lib/posted-form.ts'
import type { Route } from './+types/my'
import { birthDateOf, type OwnApi, refusalOf, typedTexts } from './my-forms.ts'

// The page has no description, so that search engines leave it out.
export const meta = staticMeta({ title: 'My NSTP' })

// Privacy: it is of one person.
export const headers = () => ({ 'Cache-Control': 'no-store' })

export async function loader({ context, request }: Route.LoaderArgs) {
  const { my } = serverApi(context, request)
  const { step } = await orErrorPage(callApi(my.session.$get()))
  try {
    if (step === 'first') return { step, state: await callApi(my.state.$get()) }
    if (step === 'none') return { step }
    const [page, requests] = await Promise.all([callApi(my.$get()), callApi(my.requests.$get())])
    return { step, page, requests }
  } catch (error) {
    // The session ended meanwhile.
    if (error instanceof ApiProblem && error.problem.code === 'unauthenticated') {
      return { step: 'none' as const }
    }
    return await orErrorPage(Promise.reject(error))
  }
}

/** Plain posts: each button of the page has its intent. */
export async function action({ context, request }: Route.ActionArgs) {
  const typed = typedTexts(await readForm(request))
  const { my } = serverApi(context, request)
  try {
    const answer = await act(my, typed)
    return redirect(myPath, { status: 303, headers: cookiesOf(answer) })
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    // Security: a code of the second step isn't sent back.
    const { code: _code, ...kept } = typed
    return data(refusalOf(error, typed.intent ?? '', kept), { status: error.problem.status || 503 })
  }
}

function act(my: OwnApi, typed: Record<string, string>): Promise<Response> {
  const { intent, reference = '', code = '', id = '' } = typed
  switch (intent) {
    case 'enter':
      return my.session.$post({ json: { reference, dateOfBirth: birthDateOf(typed, 'birth') } })
    case 'slip':
      // The form of the second step has no reference.
      return my.session.slip.$post({ json: { reference: typed.reference, code } })
    case 'mail':
      return my.code.$post()
    case 'code':
      return my.session.code.$post({ json: { code } })
    case 'withdraw':
      return my.requests[':id'].withdraw.$post({ param: { id } })
    case 'leave':
      return my.session.$delete()
    default:
      throw data(null, { status: 400 })
  }
}

const ended = {
  ...{ intent: '', typed: {}, errors: [] },
  sentence: 'You left, or your time is over. Please enter again. Nothing was sent.',
}

export default function My({ loaderData, actionData }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const refusal = actionData ?? (search.has('ended') ? ended : undefined)
  if (loaderData.step === 'none') return <Entry refusal={refusal} />
  if (loaderData.step === 'first') return <SecondStep state={loaderData.state} refusal={refusal} />
  return <OwnPage page={loaderData.page} requests={loaderData.requests} refusal={actionData} />
}
