import { Printer } from 'lucide-react'
import { useState } from 'react'
import type { StudentListItem } from '#shared/students/student-response.ts'
import { maxPageSize, type StudentFilters } from '#shared/students/students.ts'
import { SmallButton } from '#web/components/button.tsx'
import { PrintedPages } from '#web/components/printed-pages.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useTask } from './data.ts'
import { filterParams } from './list-address.ts'
import { periodText } from './period-texts.ts'
import { notePrint } from './print-sheet.tsx'
import { RestrictionBadge } from './record-privacy.tsx'
import type { ListLayout } from './student-columns.tsx'
import './print-list.css'

// About 60 sheets of paper.
const maxPrintedStudents = 2_000

/** @returns null when there are more than `maxPrintedStudents` */
async function readAllStudents(filters: StudentFilters): Promise<StudentListItem[] | null> {
  const students = new Map<string, StudentListItem>()
  for (let page = 1; ; page++) {
    const query = { ...filterParams(filters), page: String(page), pageSize: String(maxPageSize) }
    const { items, total } = await callApi(api.students.$get({ query }))
    if (total > maxPrintedStudents) return null
    // A record that is added meanwhile shifts the pages: the one moved to the next page is read twice.
    for (const item of items) students.set(item.id, item)
    if (page * maxPageSize >= total) return [...students.values()]
  }
}

interface PrintButtonProps {
  label: string
  layout: ListLayout
  filters: StudentFilters
  isEmpty: boolean
}

export function PrintButton({ label, layout, filters, isEmpty }: PrintButtonProps) {
  const { run, isBusy } = useTask('Failed to print students')
  const [printed, setPrinted] = useState<{ students: StudentListItem[]; filters: StudentFilters } | null>(
    null,
  )

  async function printList() {
    const students = await readAllStudents(filters)
    if (!students) return void showToast('warning', tooLong)
    // Recorded first: scripts don't run while the dialog is open.
    await notePrint({ kind: 'list', count: students.length })
    setPrinted({ students, filters })
  }

  return (
    <>
      <SmallButton
        icon={Printer}
        disabled={isBusy}
        {...(isEmpty ? withoutStudents('print') : { onClick: () => run(printList) })}
      >
        {label}
      </SmallButton>
      {printed && <PrintList {...printed} layout={layout} onPrinted={() => setPrinted(null)} />}
    </>
  )
}

const tooLong =
  `The list has more than ${figureText(maxPrintedStudents)} students, too many to print. ` +
  'Please narrow it down, or export it to Excel.'

interface PrintListProps {
  students: readonly StudentListItem[]
  filters: StudentFilters
  layout: ListLayout
  onPrinted: () => void
}

function PrintList({ students, filters, layout, onPrinted }: PrintListProps) {
  const texts = useInstantTexts()
  return (
    <PrintedPages className="paper-list print-list" onPrinted={onPrinted}>
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
              {layout.columns.map(({ label, render }, column) => (
                <td key={label}>
                  {render(student)}
                  {column === 0 && <RestrictionBadge restriction={student.restriction} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </PrintedPages>
  )
}

function describeFilters({ component, archive, academicYear, period, search }: StudentFilters): string[] {
  const parts = [
    component === 'all' ? 'All components' : component,
    { all: 'active and archived', active: 'active only', archived: 'archived only' }[archive],
    academicYear === 'all' ? 'all years' : `A.Y. ${academicYear}`,
  ]
  if (period !== 'all-time') parts.push(periodText(period))
  if (search !== '') parts.push(`search “${search}”`)
  return parts
}

// A disabled button stays focusable, so that its reason can be read.
export function withoutStudents(action: string) {
  return { 'aria-disabled': true, title: `There are no students in the list to ${action}.` }
}
