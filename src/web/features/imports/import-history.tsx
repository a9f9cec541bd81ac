import { useQuery } from '@tanstack/react-query'
import { FileUp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ImportSummary } from '#shared/imports/import-response.ts'
import { importRetentionDays } from '#shared/imports/imports.ts'
import { Badge } from '#web/components/badge.tsx'
import { IconButton } from '#web/components/button.tsx'
import { Part } from '#web/components/card.tsx'
import { ConfirmAction } from '#web/components/confirm-action.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Hint } from '#web/components/hint.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { api, reading } from '#web/lib/api.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { importPath, type ListOfFile, receivedTexts, resultText, stateText } from './imports-data.ts'

/** The earlier imports of students, or the earlier lists of a term or paper. */
export function ImportHistory({ list = null }: { list?: ListOfFile | null }) {
  const query = useQuery({
    queryKey: ['imports', 'history', list],
    meta: { topics: ['settings'] },
    queryFn: reading(api.imports.$get, { query: list ?? {} }),
  })
  const title = list ? 'Earlier lists' : 'Earlier imports'
  return (
    <TabFrame query={query} failure={`Failed to load the ${title.toLowerCase()}`}>
      <Loaded query={query} what={title.toLowerCase()} lines={3} className="h-16">
        {({ items }) => <History imports={items} title={title} />}
      </Loaded>
    </TabFrame>
  )
}

function History({ imports, title }: { imports: readonly ImportSummary[]; title: string }) {
  const [deleting, setDeleting] = useState<ImportSummary | null>(null)
  return (
    <Part title={title}>
      {imports.length === 0 ? (
        <EmptyState icon={FileUp} title={title === 'Earlier lists' ? 'No lists yet.' : 'No imports yet.'} />
      ) : (
        <>
          <Hint>Uploaded rows are deleted after {importRetentionDays} days. Imported records stay.</Hint>
          <ul className="divide-y divide-line rounded-box border bg-card shadow-card">
            {imports.map((item) => (
              <HistoryLine key={item.id} item={item} onDelete={() => setDeleting(item)} />
            ))}
          </ul>
        </>
      )}
      <ConfirmAction
        title="Delete rows"
        thing={deleting}
        topics={['imports']}
        send={({ id }) => api.imports[':id'].$delete({ param: { id } })}
        done="Rows deleted."
        onClose={() => setDeleting(null)}
      >
        {(item) => (
          <p>
            Are you sure you want to delete the uploaded rows of{' '}
            <strong className="wrap-anywhere">{item.fileName}</strong>? {consequence(item)}
          </p>
        )}
      </ConfirmAction>
    </Part>
  )
}

function HistoryLine({ item, onDelete }: { item: ImportSummary; onDelete: () => void }) {
  const texts = useInstantTexts()
  const { label, tone } = stateText(item)
  const { noun, done } = resultText(item)
  const isWorking = item.state === 'checking' || item.state === 'importing'
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            to={importPath(item)}
            className="py-1 font-semibold wrap-anywhere text-primary underline underline-offset-4"
          >
            {item.fileName}
          </Link>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <Hint className="wrap-anywhere">
          {[
            ...receivedTexts(item),
            texts.momentOf(item.createdAt),
            item.createdBy,
            countOf(item.rowCount, 'row'),
          ].join(' · ')}
          {item.importedCount > 0 && ` · ${countOf(item.importedCount, noun)} ${done}`}
          {!item.hasRows && ' · rows deleted'}
        </Hint>
      </div>
      {item.hasRows && !isWorking && (
        <IconButton label={`Delete rows: ${item.fileName}`} size="md" onClick={onDelete} icon={Trash2} />
      )}
    </li>
  )
}

function consequence({ importedCount, purpose, updateBy, state }: ImportSummary): string {
  if (importedCount === 0) return 'Nothing was imported from it.'
  if (purpose !== 'students') return 'What it changed stays, and you can no longer undo the list.'
  if (!updateBy) return 'Imported students stay, and you can still undo the import.'
  return state === 'imported'
    ? 'Updated records stay as they are, and you can no longer undo the import.'
    : 'Records stay as they are.'
}
