import { FileSpreadsheet } from 'lucide-react'
import { useState } from 'react'
import type { StudentFilters } from '#shared/students.ts'
import { Button } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { exportStudents } from './export-students.ts'
import { withoutStudents } from './without-students.ts'

interface ExportButtonProps {
  filters: StudentFilters
  /** Whether the filters are known to show nobody. */
  isEmpty: boolean
}

/** Downloads the list as it is narrowed down and sorted, on all its pages. */
export function ExportButton({ filters, isEmpty }: ExportButtonProps) {
  const [isBusy, setBusy] = useState(false)

  async function exportList() {
    setBusy(true)
    showToast({ type: 'info', message: 'Preparing Excel export...' })
    try {
      await exportStudents(filters)
      showToast({ type: 'success', message: 'Export complete!' })
    } catch (error) {
      showToast({ type: 'error', message: `Failed to export students: ${sentenceOf(error)}` })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button
      variant="outline"
      size="sm"
      icon={<FileSpreadsheet aria-hidden="true" className="size-4" />}
      disabled={isBusy}
      {...(isEmpty ? withoutStudents('export') : { onClick: () => void exportList() })}
    >
      Export to Excel
    </Button>
  )
}
