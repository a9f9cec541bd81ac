import { useQueries } from '@tanstack/react-query'
import { Link } from 'react-router'
import { purposePermissions, termListPurposes } from '#shared/imports/imports.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { useAccount } from '#web/lib/account.ts'
import { api, reading } from '#web/lib/api.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { importPath, purposeTexts, stateText } from './imports-data.ts'

/** The lists of a term that wait for somebody: uploaded, and neither applied nor undone. */
export function OpenLists({ term }: { term: Term }) {
  const { can } = useAccount()
  const { momentOf } = useInstantTexts()
  const lists = useQueries({
    queries: termListPurposes
      .filter((purpose) => can(purposePermissions[purpose]))
      .map((purpose) => ({
        queryKey: ['imports', 'history', { purpose, term: term.id }],
        queryFn: reading(api.imports.$get, { query: { purpose, term: term.id } }),
      })),
  })
  const open = lists
    .flatMap(({ data }) => data?.items ?? [])
    .filter(({ state, hasRows }) => hasRows && state !== 'imported' && state !== 'undone')
  if (open.length === 0) return null
  return (
    <ul aria-label="Open lists" className="grid gap-1 text-sm">
      {open.map((list) => (
        <li key={list.id}>
          {purposeTexts[list.purpose].title}:{' '}
          <Link
            to={importPath(list)}
            className="py-1 font-semibold wrap-anywhere text-primary underline underline-offset-2"
          >
            {list.fileName}
          </Link>{' '}
          <span className="text-muted">
            {stateText(list).label.toLowerCase()}
            {list.state === 'checked' && ', not applied yet'}, uploaded {momentOf(list.createdAt)}
          </span>
        </li>
      ))}
    </ul>
  )
}
