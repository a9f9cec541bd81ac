import { Printer } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { StudentRecord } from '#shared/student.ts'
import { Button } from '#web/components/button.tsx'
import { CwtsSheet } from './cwts-sheet.tsx'
import { printSheet } from './print-sheet.ts'
import { RotcSheet } from './rotc-sheet.tsx'
import './sheet.css'

interface SheetKind {
  name: string
  printLabel: string
  /** Time for a hidden sheet to appear before it is printed, in ms (spec §2). */
  showDelay: number
  Sheet: typeof RotcSheet | typeof CwtsSheet
}

const kinds: Record<string, SheetKind> = {
  ROTC: { name: 'ROTC Form', printLabel: 'Print ROTC Form', showDelay: 1000, Sheet: RotcSheet },
  CWTS: { name: 'CWTS Form', printLabel: 'Print Form', showDelay: 800, Sheet: CwtsSheet },
}

/**
 * The printable sheet of a student's component, hidden at first: a button shows and hides it, another prints
 * it. Nothing for a component without a sheet. Give it the student's id as its key, so that another student's
 * sheet starts hidden.
 */
export function StudentSheetPanel({ student }: { student: StudentRecord }) {
  const kind = kinds[student.nstpComponent]
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
    const printShown = () => printSheet(panel.current ?? undefined)
    if (isShown) printShown()
    else pendingPrint.current = setTimeout(printShown, kind.showDelay)
  }

  const { name, printLabel, Sheet } = kind
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
        {isShown ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the box scrolls, so the keyboard must reach it
          <section className="sheet-scroller" aria-label={`${name} of the student`} tabIndex={0}>
            <Sheet student={student} />
          </section>
        ) : null}
      </div>
    </section>
  )
}
