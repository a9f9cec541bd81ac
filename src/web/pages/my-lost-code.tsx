import { data } from 'react-router'
import { LostCode } from '#web/features/my/lost-code.tsx'
import { callApi, serverApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { readForm } from '#web/lib/posted-form.ts'
import type { Route } from './+types/my-lost-code'
import { birthDateOf, refusalOf, typedTexts } from './my-forms.ts'

export const meta = staticMeta({ title: 'Lost your code?' })

// Shows what was typed.
export const headers = () => ({ 'Cache-Control': 'no-store' })

export async function action({ context, request }: Route.ActionArgs) {
  const typed = typedTexts(await readForm(request))
  const { lastName = '', firstName = '', email = '' } = typed
  const json = { lastName, firstName, email, dateOfBirth: birthDateOf(typed, 'birth') }
  try {
    await callApi(serverApi(context, request).my['lost-code'].$post({ json }))
    return { isSent: true as const }
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    const refusal = refusalOf(error, 'lost', typed)
    return data({ isSent: false as const, refusal }, { status: error.problem.status || 503 })
  }
}

export default function MyLostCode({ actionData }: Route.ComponentProps) {
  const refusal = actionData?.isSent === false ? actionData.refusal : undefined
  return <LostCode isSent={actionData?.isSent ?? false} refusal={refusal} />
}
