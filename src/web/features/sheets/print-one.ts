import type { StudentRecord } from '#shared/student.ts'
import { showToast } from '#web/components/toaster.tsx'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { notePrint } from '#web/lib/note-print.ts'
import { printSheet } from './print-sheet.ts'

/** Prints a student's sheet, which stands in `container`, and has the audit trail note it. */
export function printStudentSheet({ id }: StudentRecord, container: ParentNode | undefined): void {
  // Not waited for: a browser opens the print window only right after the press.
  printSheet(container)
  notePrint({ kind: 'sheet', ids: [id], count: 1 }).catch((error: unknown) => {
    showToast({
      type: 'error',
      message: `The print could not be noted in the audit trail: ${sentenceOf(error)}`,
    })
  })
}
