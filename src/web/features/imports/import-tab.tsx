import { FileUp } from 'lucide-react'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { useWantedLocation } from '#web/lib/wanted-location.ts'
import { ImportHistory } from './import-history.tsx'
import { ImportSteps } from './import-steps.tsx'
import { importPath, readImportsAddress } from './imports-address.ts'
import type { ImportsData } from './imports-data.ts'
import { OpenImport } from './open-import.tsx'
import { UploadStep } from './upload-step.tsx'

interface ImportTabProps {
  /** What was read last; null while the first of it is being read. */
  data: ImportsData | null
  /** Whether the last reading failed, which stands above the tab. */
  failed: boolean
}

/**
 * Import of students from a spreadsheet, from the file to the records. Where it is, the server knows; the address
 * only says which import is open, so that reloading, Back and another browser show the same.
 */
export function ImportTab({ data, failed }: ImportTabProps) {
  const address = readImportsAddress(new URLSearchParams(useWantedLocation().search))
  const shown = data?.id === address.id ? data : null
  const state = shown && 'details' in shown ? shown.details.state : null

  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h1 className="text-2xl font-bold tracking-tight">Import Students</h1>
          <p className="mt-1 text-sm text-muted">
            From an Excel (.xlsx) or CSV file with one student a row, or the old system’s JSON export.
          </p>
        </div>
        {address.id && (
          <ButtonLink variant="outline" size="sm" to={importPath(null)}>
            All imports
          </ButtonLink>
        )}
      </div>
      {(address.id === null || state) && <ImportSteps state={state} atColumns={address.atColumns} />}
      {address.id === null && <UploadStep />}
      {shown === null ? (
        <Waiting failed={failed} />
      ) : shown.id === null ? (
        <ImportHistory imports={shown.history} />
      ) : 'missing' in shown ? (
        <EmptyState
          icon={<FileUp className="size-8" />}
          title="This import is not there any more."
          action={
            <ButtonLink variant="outline" size="sm" to={importPath(null)}>
              All imports
            </ButtonLink>
          }
        />
      ) : (
        <OpenImport key={shown.id} data={shown} address={address} />
      )}
    </div>
  )
}

function Waiting({ failed }: { failed: boolean }) {
  if (failed)
    return <EmptyState icon={<FileUp className="size-8" />} title="The imports could not be loaded." />
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">Loading imports</span>
      {['a', 'b', 'c'].map((line) => (
        <Skeleton key={line} className="h-16 w-full" />
      ))}
    </div>
  )
}
