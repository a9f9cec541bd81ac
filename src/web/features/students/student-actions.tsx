import { FileSpreadsheet, Printer } from 'lucide-react'
import { useState } from 'react'
import type { StudentListItem } from '#shared/student.ts'
import type { StudentFilters } from '#shared/students.ts'
import { Button } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { exportStudents } from './export-students.ts'
import { PrintList } from './print-list.tsx'
import { maxPrinted, readAllStudents } from './print-students.ts'
import type { InstantTexts } from './student-texts.ts'

/** What can be done with the list as it is narrowed down and sorted, on all its pages. */
export function StudentActions({ filters, texts }: { filters: StudentFilters; texts: InstantTexts }) {
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
        onClick={() => void exportList()}
      >
        Export to Excel
      </Button>
      <Button
        variant="outline"
        size="sm"
        icon={<Printer aria-hidden="true" className="size-4" />}
        disabled={busyWith === 'print'}
        onClick={() => void printList()}
      >
        Print
      </Button>
      {printed && <PrintList {...printed} texts={texts} onPrinted={() => setPrinted(null)} />}
    </div>
  )
}

const tooLong =
  `The list has more than ${maxPrinted.toLocaleString('en-US')} students, too many to print. ` +
  'Please narrow it down, or export it to Excel.'
