import { Printer } from 'lucide-react'
import { useRef } from 'react'
import type { StudentRecord } from '#shared/student.ts'
import { Button } from '#web/components/button.tsx'
import { printStudentSheet } from './print-one.ts'
import { SheetFrame } from './sheet-frame.tsx'
import { sheetKindOf } from './sheet-kinds.ts'

/** A student's form with its print button (spec §2 "Archived students page"). */
export function StudentForm({ student }: { student: StudentRecord }) {
  const frame = useRef<HTMLDivElement>(null)
  const kind = sheetKindOf(student)
  if (!kind) return <p>{missingFormSentence(student.nstpComponent)}</p>
  return (
    <div ref={frame} className="grid min-w-0 gap-3">
      <div>
        <Button
          variant="outline"
          size="sm"
          icon={<Printer size={16} aria-hidden="true" />}
          onClick={() => printStudentSheet(student, frame.current ?? undefined)}
        >
          {kind.printLabel}
        </Button>
      </div>
      <SheetFrame kind={kind} student={student} />
    </div>
  )
}

function missingFormSentence(component: string): string {
  return component === ''
    ? 'No form available for this student. NSTP component not specified.'
    : `No form available for this student. ${component} has no printable form.`
}
