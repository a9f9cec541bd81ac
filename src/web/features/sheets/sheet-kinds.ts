import type { StudentRecord } from '#shared/student.ts'
import { CwtsSheet } from './cwts-sheet.tsx'
import { RotcSheet } from './rotc-sheet.tsx'

/** A component's printable sheet. */
export interface SheetKind {
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

/** The sheet of a student's component; undefined for a component that has none. */
export function sheetKindOf({ nstpComponent }: Pick<StudentRecord, 'nstpComponent'>): SheetKind | undefined {
  return kinds[nstpComponent]
}
