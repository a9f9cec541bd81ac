import { OwnRecord } from '#web/features/my/own-record.tsx'
import { callApi, orErrorPage, serverApi } from '#web/lib/api.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import type { Route } from './+types/my-record'
import { orEntry } from './my-forms.ts'

export const meta = staticMeta({ title: 'My record' })

// Privacy: it is of one person.
export const headers = () => ({ 'Cache-Control': 'no-store' })

export async function loader({ context, request }: Route.LoaderArgs) {
  return await orErrorPage(orEntry(callApi(serverApi(context, request).my.record.$get())))
}

export default function MyRecordPage({ loaderData }: Route.ComponentProps) {
  return <OwnRecord {...loaderData} />
}
