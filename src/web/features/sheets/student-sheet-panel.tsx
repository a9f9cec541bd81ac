import { Printer } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { StudentRecord } from '#shared/student.ts'
import { Button } from '#web/components/button.tsx'
import { printStudentSheet } from './print-one.ts'
import { SheetFrame } from './sheet-frame.tsx'
import { type SheetKind, sheetKindOf } from './sheet-kinds.ts'

/**
 * The printable sheet of a student's component, hidden at first: a button shows and hides it, another prints
 * it. Nothing for a component without a sheet. Give it the student's id as its key, so that another student's
 * sheet starts hidden.
 */
export function StudentSheetPanel({ student }: { student: StudentRecord }) {
  const kind = sheetKindOf(student)
  return kind ? <SheetPanel kind={kind} student={student} /> : null
}

function SheetPanel({ kind, student }: { kind: SheetKind; student: StudentRecord }) {
  const [isShown, setShown] = useState(false)
  const panel = useRef<HTMLElement>(null)
  const pendingPrint = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sheetId = useId()
  useEffect(() => () => clearTimeout(pendingPrint.current), [])

  function toggle() {
    clearTimeout(pendingPrint.current)
    setShown(!isShown)
  }

  function print() {
    clearTimeout(pendingPrint.current)
    setShown(true)
    const printShown = () => printStudentSheet(student, panel.current ?? undefined)
    if (isShown) printShown()
    else pendingPrint.current = setTimeout(printShown, kind.showDelay)
  }

  const { name, printLabel } = kind
  return (
    <section ref={panel} aria-label={name} className="grid min-w-0 gap-3">
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" size="sm" aria-expanded={isShown} aria-controls={sheetId} onClick={toggle}>
          {isShown ? `Hide ${name}` : `Show ${name}`}
        </Button>
        <Button variant="outline" size="sm" icon={<Printer size={16} aria-hidden="true" />} onClick={print}>
          {printLabel}
        </Button>
      </div>
      <div id={sheetId} className="min-w-0" hidden={!isShown}>
        {isShown && <SheetFrame kind={kind} student={student} />}
      </div>
    </section>
  )
}
