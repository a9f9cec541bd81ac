import { Printer } from 'lucide-react'
import { useState } from 'react'
import type { StudentListItem } from '#shared/student.ts'
import type { StudentFilters } from '#shared/students.ts'
import { Button } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { figureText } from '#web/lib/count-text.ts'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import { notePrint } from '#web/lib/note-print.ts'
import type { ListLayout } from './list-layouts.tsx'
import { PrintList } from './print-list.tsx'
import { maxPrinted, readAllStudents } from './print-students.ts'
import { withoutStudents } from './without-students.ts'

interface PrintButtonProps {
  label: string
  layout: ListLayout
  filters: StudentFilters
  /** Whether the filters are known to show nobody. */
  isEmpty: boolean
  texts: InstantTexts
}

/** Prints the list as it is narrowed down and sorted, on all its pages. */
export function PrintButton({ label, layout, filters, isEmpty, texts }: PrintButtonProps) {
  const [isBusy, setBusy] = useState(false)
  const [printed, setPrinted] = useState<{ students: StudentListItem[]; filters: StudentFilters } | null>(
    null,
  )

  async function printList() {
    setBusy(true)
    try {
      const students = await readAllStudents(filters)
      if (!students) {
        showToast({ type: 'warning', message: tooLong })
        return
      }
      // Noted first: once the dialog is open nothing else runs.
      await notePrint({ kind: 'list', count: students.length })
      setPrinted({ students, filters })
    } catch (error) {
      showToast({ type: 'error', message: `Failed to print students: ${sentenceOf(error)}` })
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Button
        variant="outline"
        size="sm"
        icon={<Printer aria-hidden="true" className="size-4" />}
        disabled={isBusy}
        {...(isEmpty ? withoutStudents('print') : { onClick: () => void printList() })}
      >
        {label}
      </Button>
      {printed && <PrintList {...printed} layout={layout} texts={texts} onPrinted={() => setPrinted(null)} />}
    </>
  )
}

const tooLong =
  `The list has more than ${figureText(maxPrinted)} students, too many to print. ` +
  'Please narrow it down, or export it to Excel.'
