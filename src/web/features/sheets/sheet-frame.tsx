import type { StudentRecord } from '#shared/student.ts'
import type { SheetKind } from './sheet-kinds.ts'
import './sheet.css'

/** A sheet on the screen, as wide as there is room. */
export function SheetFrame({ kind: { name, Sheet }, student }: { kind: SheetKind; student: StudentRecord }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the box scrolls, so the keyboard must reach it
    <section className="sheet-scroller" aria-label={`${name} of the student`} tabIndex={0}>
      <Sheet student={student} />
    </section>
  )
}
