import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Check, FileUp, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { ImportSummary } from '#shared/imports/import-response.ts'
import {
  type ImportState,
  importRetentionDays,
  importSentences,
  maxImportBytes,
} from '#shared/imports/imports.ts'
import { Badge } from '#web/components/badge.tsx'
import { IconButton, SmallButton, SmallLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { FileField } from '#web/components/file-field.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { withQuery } from '#web/lib/next-path.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { type Sending, sendForm, sentId } from '#web/lib/send-form.ts'
import { importAddress, resultText, stateText, useImport } from './imports-data.ts'
import { OpenImport } from './open-import.tsx'

export function ImportTab() {
  const { import: id } = importAddress.read(useLocation().search)
  const allImports = <SmallLink to={tabPath('import')}>All imports</SmallLink>
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h1 className="text-2xl font-bold tracking-tight">Import Students</h1>
          <p className="mt-1 text-sm text-muted">
            Excel (.xlsx) or CSV file with one student per row, or the old system’s JSON export.
          </p>
        </div>
        {id && allImports}
      </div>
      {id ? (
        <NamedImport key={id} id={id} allImports={allImports} />
      ) : (
        <>
          <ImportSteps state={null} atColumns={false} />
          <UploadStep />
          <ImportHistory />
        </>
      )}
    </div>
  )
}

function NamedImport({ id, allImports }: { id: string; allImports: ReactNode }) {
  const query = useImport(id)
  const atColumns = importAddress.read(useLocation().search).step === 'columns'
  return (
    <TabFrame query={query} failure="Failed to load the import">
      <Loaded query={query} what="the import" lines={3} className="h-16">
        {(details) =>
          details ? (
            <>
              <ImportSteps state={details.state} atColumns={atColumns} />
              <OpenImport details={details} atColumns={atColumns} />
            </>
          ) : (
            <EmptyState icon={FileUp} title="This import no longer exists." action={allImports} />
          )
        }
      </Loaded>
    </TabFrame>
  )
}

const steps = ['Upload', 'Columns', 'Check', 'Import', 'Done'] as const

const stepOfState: Record<ImportState, (typeof steps)[number]> = {
  uploaded: 'Columns',
  checking: 'Check',
  checked: 'Check',
  importing: 'Import',
  imported: 'Done',
  undone: 'Done',
}

function ImportSteps({ state, atColumns }: { state: ImportState | null; atColumns: boolean }) {
  const current = state === null ? 'Upload' : atColumns ? 'Columns' : stepOfState[state]
  const at = steps.indexOf(current)
  return (
    <ol aria-label="Steps" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === at ? 'step' : undefined}
          className={clsx(
            'flex items-center gap-1.5',
            index === at ? 'font-semibold text-primary' : 'text-muted',
          )}
        >
          <span
            aria-hidden="true"
            className={clsx(
              'inline-flex size-6 items-center justify-center rounded-full border text-xs tabular-nums',
              index === at ? 'border-primary bg-primary text-on-primary' : 'border-edge',
            )}
          >
            {index < at ? <Check className="size-3.5" /> : index + 1}
          </span>
          {step}
          {index < at && <span className="sr-only"> (done)</span>}
        </li>
      ))}
    </ol>
  )
}

function ImportHistory() {
  const query = useQuery({
    queryKey: ['imports', 'history'],
    meta: { topics: ['settings'] },
    queryFn: ({ signal }) => callApi(api.imports.$get({ query: {} }, { init: { signal } })),
  })
  return (
    <TabFrame query={query} failure="Failed to load the earlier imports">
      <Loaded query={query} what="earlier imports" lines={3} className="h-16">
        {({ items }) => <History imports={items} />}
      </Loaded>
    </TabFrame>
  )
}

function History({ imports }: { imports: readonly ImportSummary[] }) {
  const [asked, setAsked] = useState<ImportSummary | null>(null)
  const remove = useAction({
    topics: ['imports'],
    mutationFn: ({ id }: ImportSummary) =>
      api.imports[':id'].$delete({ param: { id } }).finally(() => setAsked(null)),
    onSuccess: () => showToast({ type: 'success', message: 'Rows deleted.' }),
    onError: (error) =>
      showToast({ type: 'error', message: `Failed to delete the rows: ${sentenceOf(error)}` }),
  })
  return (
    <section aria-labelledby="history-title" className="flex flex-col gap-3">
      <h2 id="history-title" className="text-lg font-semibold">
        Earlier imports
      </h2>
      {imports.length === 0 ? (
        <EmptyState icon={FileUp} title="No imports yet." />
      ) : (
        <>
          <p className="text-sm text-muted">
            Uploaded rows are deleted after {importRetentionDays} days. Imported records stay.
          </p>
          <ul className="divide-y divide-line rounded-box border bg-card shadow-card">
            {imports.map((item) => (
              <HistoryLine key={item.id} item={item} onDelete={() => setAsked(item)} />
            ))}
          </ul>
        </>
      )}
      <QuestionModal
        title="Delete rows"
        thing={asked}
        isBusy={remove.isPending}
        onConfirm={remove.run}
        onClose={() => setAsked(null)}
      >
        {(item) => (
          <p>
            Are you sure you want to delete the uploaded rows of{' '}
            <strong className="wrap-anywhere">{item.fileName}</strong>? {consequence(item)}
          </p>
        )}
      </QuestionModal>
    </section>
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
            to={importAddress.to({ import: item.id })}
            className="py-1 font-semibold wrap-anywhere text-primary underline underline-offset-4"
          >
            {item.fileName}
          </Link>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {texts.momentOf(item.createdAt)} · {item.createdBy} · {countOf(item.rowCount, 'row')}
          {item.importedCount > 0 && ` · ${countOf(item.importedCount, noun)} ${done}`}
          {!item.hasRows && ' · rows deleted'}
        </p>
      </div>
      {item.hasRows && !isWorking && (
        <IconButton label={`Delete rows: ${item.fileName}`} size="md" onClick={onDelete} icon={Trash2} />
      )}
    </li>
  )
}

function consequence({ importedCount, updateBy, state }: ImportSummary): string {
  if (importedCount === 0) return 'Nothing was imported from it.'
  if (!updateBy) return 'Imported students stay, and you can still undo the import.'
  return state === 'imported'
    ? 'Updated records stay as they are, and you can no longer undo the import.'
    : 'Records stay as they are.'
}

function UploadStep() {
  const navigate = useNavigate()
  const [progress, setProgress] = useState<{ name: string; part: number } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const sending = useRef<Sending<string>>(null)
  // Leaving the tab aborts the upload.
  useEffect(() => () => sending.current?.cancel(), [])

  async function send(file: File) {
    setFailure(null)
    if (file.size > maxImportBytes) return setFailure(importSentences.tooBig)
    const onProgress = (part: number) => setProgress({ name: file.name, part })
    onProgress(0)
    const sent = sendForm({
      method: 'POST',
      path: withQuery('/api/imports', { fileName: file.name }),
      body: file,
      headers: { 'Content-Type': 'application/octet-stream' },
      read: sentId,
      onProgress,
    })
    sending.current = sent
    try {
      void navigate(importAddress.to({ import: await sent.done }))
    } catch (error) {
      if (sending.current === sent) setFailure(sentenceOf(error))
    }
    setProgress(null)
  }

  function cancel() {
    const { current: sent } = sending
    sending.current = null
    sent?.cancel()
  }

  return (
    <>
      {failure && <ErrorBanner message={failure} onDismiss={() => setFailure(null)} />}
      {/* The padding is the field's own: a file may be dropped anywhere inside the border. */}
      <section
        aria-label="Upload a file"
        className="rounded-box border border-dashed border-edge bg-card *:p-6 sm:*:p-10"
      >
        {progress ? (
          <div className="flex max-w-md flex-col gap-3">
            <p className="font-semibold wrap-anywhere">{progress.name}</p>
            <ProgressBar
              label={progress.part < 1 ? 'Uploading' : 'Reading rows'}
              part={progress.part < 1 ? progress.part : null}
            />
            <SmallButton className="self-start" onClick={cancel}>
              Cancel
            </SmallButton>
          </div>
        ) : (
          <FileField
            name="import-file"
            label="File to import"
            hint="Or drop it here. Up to 20 MB and 50,000 rows. Nothing is saved until you confirm."
            error={undefined}
            accept=".xlsx,.csv,.tsv,.txt,.json,text/csv,application/json,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            choose="Choose a file"
            icon={FileUp}
            shown={null}
            onTake={(file) => void send(file)}
          />
        )}
      </section>
    </>
  )
}
