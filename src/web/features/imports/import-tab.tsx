import { clsx } from 'clsx'
import { Check, FileUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { ImportDetails } from '#shared/imports/import-response.ts'
import type { ImportState } from '#shared/imports/imports.ts'
import { SmallLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Hint } from '#web/components/hint.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { ImportHistory } from './import-history.tsx'
import { importAddress, listsPath, purposeTexts, resultText, useImport } from './imports-data.ts'
import { OpenImport } from './open-import.tsx'
import { UploadStep } from './upload-step.tsx'

export function ImportTab() {
  const { import: id } = importAddress.read(useLocation().search)
  if (id) return <NamedImport key={id} id={id} />
  return (
    <div className="flex flex-col gap-5">
      <Heading />
      <ImportSteps state={null} atColumns={false} run="Import" />
      <UploadStep />
      <ImportHistory />
    </div>
  )
}

/** @param back to where the others are */
function Heading({ details, back }: { details?: ImportDetails | null; back?: ReactNode }) {
  const { title, about } = purposeTexts[details?.purpose ?? 'students']
  return (
    <div className="flex flex-wrap items-start justify-between gap-3">
      <div>
        <h1 className="text-2xl font-bold tracking-tight">{title}</h1>
        <Hint className="mt-1">{about}</Hint>
      </div>
      {back}
    </div>
  )
}

function NamedImport({ id }: { id: string }) {
  const query = useImport(id)
  const atColumns = importAddress.read(useLocation().search).step === 'columns'
  const back = (details: ImportDetails | null | undefined) =>
    details?.termId ? (
      <SmallLink to={listsPath(details.termId, details.purpose)}>All lists of the term</SmallLink>
    ) : details?.paperId ? (
      <SmallLink to={tabPath('papers', { paper: details.paperId })}>Back to the paper</SmallLink>
    ) : (
      <SmallLink to={tabPath('import')}>All imports</SmallLink>
    )
  return (
    <div className="flex flex-col gap-5">
      <Heading details={query.data ?? null} back={back(query.data)} />
      <TabFrame query={query} failure="Failed to load the import">
        <Loaded query={query} what="the import" lines={3} className="h-16">
          {(details) =>
            details ? (
              <>
                <ImportSteps state={details.state} atColumns={atColumns} run={resultText(details).verb} />
                <OpenImport details={details} atColumns={atColumns} />
              </>
            ) : (
              <EmptyState icon={FileUp} title="This import no longer exists." action={back(null)} />
            )
          }
        </Loaded>
      </TabFrame>
    </div>
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

interface ImportStepsProps {
  state: ImportState | null
  atColumns: boolean
  /** The label of the step that applies the file. */
  run: string
}

function ImportSteps({ state, atColumns, run }: ImportStepsProps) {
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
          {step === 'Import' ? run : step}
          {index < at && <span className="sr-only"> (done)</span>}
        </li>
      ))}
    </ol>
  )
}
