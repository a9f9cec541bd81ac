import { data, redirect } from 'react-router'
import { excuseGrounds } from '#shared/attendance/excuse-grounds.ts'
import { myPath } from '#shared/my/my-path.ts'
import type { MyRecord } from '#shared/my/own-page-response.ts'
import { type StudentRequestKind, studentRequestKinds } from '#shared/requests/request-kinds.ts'
import { correctableFields } from '#shared/requests/student-requests.ts'
import { excusableDays } from '#web/features/my/excusable-days.ts'
import { RequestForms } from '#web/features/my/request-forms.tsx'
import { callApi, orErrorPage, serverApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { pageContext } from '#web/lib/page-context.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { readForm } from '#web/lib/posted-form.ts'
import type { Route } from './+types/my-request'
import { birthDateOf, orEntry, refusalOf, typedTexts } from './my-forms.ts'

export const meta = staticMeta({ title: 'Ask for a change' })

// Privacy: it is of one person.
export const headers = () => ({ 'Cache-Control': 'no-store' })

export async function loader({ context, request }: Route.LoaderArgs) {
  const { my } = serverApi(context, request)
  const reads = [callApi(my.record.$get()), callApi(my.$get()), callApi(my.requests.$get())] as const
  const [record, page, requests] = await orErrorPage(orEntry(Promise.all(reads)))
  const fields = record.sections.flatMap((section) => section.fields)
  return {
    record: { isMinor: record.isMinor, sections: correctableOf(record) },
    component: fields.find(({ field }) => field === 'nstpComponent')?.value ?? '',
    archived: page.student.archived,
    mayChangeComponent: page.student.mayChangeComponent,
    excusable: excusableDays(page, requests),
    left: requests.left,
    courses: context.get(pageContext).registration().courses,
  }
}

const correctableOf = ({ sections }: MyRecord) =>
  sections
    .map(({ title, fields }) => ({
      title,
      fields: fields.filter(({ field }) => correctableFields.includes(field)),
    }))
    .filter(({ fields }) => fields.length > 0)

/** A plain post of one of the forms. */
export async function action({ context, request }: Route.ActionArgs) {
  const typed = typedTexts(await readForm(request))
  const { my } = serverApi(context, request)
  const kind = studentRequestKinds.find((one) => one === typed.kind)
  if (!kind) throw data(null, { status: 400 })
  try {
    const { reason = '', dayId } = typed
    const ground = excuseGrounds.find((one) => one === typed.ground)
    const json = { kind, changes: changesOf(kind, typed), dayId: dayId || null, ground, reason }
    await callApi(my.requests.$post({ json }))
    return redirect(`${myPath}#requests`, { status: 303 })
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    return data(refusalOf(error, kind, typed), { status: error.problem.status || 503 })
  }
}

/** The form has all fields: those that say something else than it showed are asked for. */
function changesOf(kind: StudentRequestKind, typed: Record<string, string>): Record<string, string> {
  if (kind === 'component') return typed.nstpComponent ? { nstpComponent: typed.nstpComponent } : {}
  if (kind !== 'correction') return {}
  const wanted: Record<string, string | undefined> = {
    ...typed,
    dateOfBirth: birthDateOf(typed, 'dateOfBirth'),
  }
  return Object.fromEntries(
    correctableFields.flatMap((field): [string, string][] => {
      const [text, shown] = [wanted[field], typed[`was-${field}`]]
      return text === undefined || shown === undefined || text.trim() === shown.trim() ? [] : [[field, text]]
    }),
  )
}

export default function MyRequest({ loaderData, actionData }: Route.ComponentProps) {
  return <RequestForms {...loaderData} refusal={actionData} />
}
