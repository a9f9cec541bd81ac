import { useEffect, useEffectEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { StudentRecord } from '#shared/student.ts'
import { showToast } from '#web/components/toaster.tsx'
import { countOf } from '#web/lib/count-text.ts'
import { markerTime, printSheets } from './print-sheet.ts'
import { sheetKindOf } from './sheet-kinds.ts'
import './sheet.css'

interface SheetBatchProps {
  students: readonly StudentRecord[]
  onDone: () => void
}

/** The sheets of several students as one print job, in their order: prints itself and is never seen. */
export function SheetBatch({ students, onDone }: SheetBatchProps) {
  const frame = useRef<HTMLDivElement>(null)
  const sheets = students.flatMap((student) => {
    const kind = sheetKindOf(student)
    return kind ? [{ student, ...kind }] : []
  })

  const print = useEffectEvent(() => {
    tellLeftOut(students.length - sheets.length)
    if (sheets.length === 0 || !frame.current) return onDone()
    printSheets(frame.current)
  })
  const finish = useEffectEvent(onDone)
  useEffect(() => {
    print()
    // The page itself may have to print them; it needs them that long.
    const timer = setTimeout(finish, markerTime)
    return () => clearTimeout(timer)
  }, [])

  return createPortal(
    <div ref={frame} aria-hidden="true" className="sheet-batch">
      {sheets.map(({ student, Sheet }) => (
        <Sheet key={student.id} student={student} />
      ))}
    </div>,
    document.body,
  )
}

function tellLeftOut(count: number): void {
  if (count === 0) return
  const message =
    `${countOf(count, 'student')} ${count === 1 ? 'was' : 'were'} left out: ` +
    'only the ROTC and CWTS components have a printable form.'
  showToast({ type: 'warning', message })
}
