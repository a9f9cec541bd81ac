import { FileSpreadsheet, Printer } from 'lucide-react'
import { useState } from 'react'
import type { StudentListItem } from '#shared/student.ts'
import type { StudentFilters } from '#shared/students.ts'
import { Button } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { sentenceOf } from '#web/lib/api-problem.ts'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import { exportStudents } from './export-students.ts'
import { PrintList } from './print-list.tsx'
import { maxPrinted, readAllStudents } from './print-students.ts'

interface StudentActionsProps {
  filters: StudentFilters
  /** Whether the filters are known to show nobody. */
  isEmpty: boolean
  texts: InstantTexts
}

/** What can be done with the list as it is narrowed down and sorted, on all its pages. */
export function StudentActions({ filters, isEmpty, texts }: StudentActionsProps) {
  const [busyWith, setBusyWith] = useState<'export' | 'print' | null>(null)
  const [printed, setPrinted] = useState<{ students: StudentListItem[]; filters: StudentFilters } | null>(
    null,
  )

  async function exportList() {
    setBusyWith('export')
    showToast({ type: 'info', message: 'Preparing Excel export...' })
    try {
      await exportStudents(filters)
      showToast({ type: 'success', message: 'Export complete!' })
    } catch (error) {
      showToast({ type: 'error', message: `Failed to export students: ${sentenceOf(error)}` })
    } finally {
      setBusyWith(null)
    }
  }

  async function printList() {
    setBusyWith('print')
    try {
      const students = await readAllStudents(filters)
      if (students) setPrinted({ students, filters })
      else showToast({ type: 'warning', message: tooLong })
    } catch (error) {
      showToast({ type: 'error', message: `Failed to print students: ${sentenceOf(error)}` })
    } finally {
      setBusyWith(null)
    }
  }

  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      <Button
        variant="outline"
        size="sm"
        icon={<FileSpreadsheet aria-hidden="true" className="size-4" />}
        disabled={busyWith === 'export'}
        {...(isEmpty ? withoutStudents('export') : { onClick: () => void exportList() })}
      >
        Export to Excel
      </Button>
      <Button
        variant="outline"
        size="sm"
        icon={<Printer aria-hidden="true" className="size-4" />}
        disabled={busyWith === 'print'}
        {...(isEmpty ? withoutStudents('print') : { onClick: () => void printList() })}
      >
        Print
      </Button>
      {printed && <PrintList {...printed} texts={texts} onPrinted={() => setPrinted(null)} />}
    </div>
  )
}

/** A button that does nothing stays in reach, so that its reason can be read. */
function withoutStudents(action: string) {
  return { 'aria-disabled': true, title: `There are no students in the list to ${action}.` }
}

const tooLong =
  `The list has more than ${maxPrinted.toLocaleString('en-US')} students, too many to print. ` +
  'Please narrow it down, or export it to Excel.'
