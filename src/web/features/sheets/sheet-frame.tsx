import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import type { StudentRecord } from '#shared/student.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { useSettings } from '#web/lib/settings.tsx'
import type { SheetKind } from './sheet-kinds.ts'
import './sheet.css'

/** A sheet on the screen, as wide as there is room, under what is missing from it. */
export function SheetFrame({ kind: { name, Sheet }, student }: { kind: SheetKind; student: StudentRecord }) {
  const { rotcOfficeAddress } = useSettings()
  return (
    <>
      {student.nstpComponent === 'ROTC' && rotcOfficeAddress === '' && <MissingAddress />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the box scrolls, so the keyboard must reach it */}
      <section className="sheet-scroller" aria-label={`${name} of the student`} tabIndex={0}>
        <Sheet student={student} />
      </section>
    </>
  )
}

/** Beside the sheet and not in it, so that it is never printed. */
function MissingAddress() {
  return (
    <div className="mb-3 flex gap-2 rounded-box bg-amber-soft px-3 py-2 text-sm text-amber print:hidden">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <p className="flex flex-wrap items-center gap-x-2">
        The ROTC Form has no office address yet.
        <Link
          // The id of the field.
          to={`${tabPath('system-settings')}#rotcOfficeAddress`}
          className="inline-flex items-center font-medium underline underline-offset-4 max-md:min-h-11"
        >
          Fill it in
        </Link>
      </p>
    </div>
  )
}
