import { useEffect, useEffectEvent } from 'react'
import { createPortal } from 'react-dom'
import { periodLabels } from '#shared/periods.ts'
import type { StudentListItem } from '#shared/student.ts'
import type { StudentFilters } from '#shared/students.ts'
import { countOf } from '#web/lib/count-text.ts'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import type { ListLayout } from './list-layouts.tsx'
import './print-list.css'

interface PrintListProps {
  students: readonly StudentListItem[]
  filters: StudentFilters
  layout: ListLayout
  texts: InstantTexts
  onPrinted: () => void
}

/** The whole list on paper: stands beside the page, is seen by the printer only, and prints itself. */
export function PrintList({ students, filters, layout, texts, onPrinted }: PrintListProps) {
  const done = useEffectEvent(onPrinted)
  useEffect(() => {
    window.addEventListener('afterprint', done)
    window.print()
    return () => window.removeEventListener('afterprint', done)
  }, [])

  return createPortal(
    <div className="print-list">
      <h1>NSTP {layout.title}</h1>
      <p>
        {[...describeFilters(filters), countOf(students.length, 'student')].join(' · ')} · Printed{' '}
        {texts.momentOf(new Date().toISOString())}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">No.</th>
            {layout.columns.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {students.map((student, index) => (
            <tr key={student.id}>
              <td>{index + 1}</td>
              {layout.columns.map(({ label, render, className }) => (
                <td key={label} className={className}>
                  {render(student, texts)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>,
    document.body,
  )
}

/** What the list was narrowed down to, so that paper tells what it leaves out. */
function describeFilters({ component, archive, academicYear, period, search }: StudentFilters): string[] {
  const parts = [
    component === 'all' ? 'All components' : component,
    { all: 'active and archived', active: 'active only', archived: 'archived only' }[archive],
    academicYear === 'all' ? 'all years' : `A.Y. ${academicYear}`,
  ]
  if (period !== 'all-time') parts.push(periodLabels[period])
  if (search !== '') parts.push(`search “${search}”`)
  return parts
}
