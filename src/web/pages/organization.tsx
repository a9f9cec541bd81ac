import { OrgChart } from '#web/features/org-chart/org-chart.tsx'
import { excerptOf } from '#web/features/org-chart/tree-node.ts'
import { callApi, serverApi } from '#web/lib/api.ts'
import { useLiveRevalidation } from '#web/lib/live.ts'
import { pageContext } from '#web/lib/page-context.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { readSection } from '#web/lib/section.ts'
import type { Route } from './+types/organization'

export async function loader({ context, request }: Route.LoaderArgs) {
  const api = serverApi(context, request)
  const { reportFault } = context.get(pageContext)
  const chart = await readSection(
    'organizational chart',
    callApi(api['org-chart'].$get()).then(({ items }) => excerptOf(items)),
    reportFault,
  )
  return { chart }
}

export const meta = staticMeta({
  title: 'Organizational chart',
  description: 'Who leads the National Service Training Program of the school, and who works in its office.',
})

export default function Organization({ loaderData }: Route.ComponentProps) {
  useLiveRevalidation(['org-chart'])
  return <OrgChart chart={loaderData.chart} />
}
