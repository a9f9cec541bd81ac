import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import type { ImportState } from '#shared/imports.ts'

const steps = ['Upload', 'Columns', 'Check', 'Import', 'Done'] as const

const stepOfState: Record<ImportState, (typeof steps)[number]> = {
  uploaded: 'Columns',
  checking: 'Check',
  checked: 'Check',
  importing: 'Import',
  imported: 'Done',
  undone: 'Done',
}

/** Where an import is: the five steps, the current one marked. */
export function ImportSteps({ state, atColumns }: { state: ImportState | null; atColumns: boolean }) {
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
