import { clsx } from 'clsx'
import type { StudentListItem } from '#shared/student.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { Checkbox } from './checkbox.tsx'
import { rowAttribute } from './keep-in-view.tsx'
import { ComponentBadge, StatusBadge } from './student-columns.tsx'
import { listName, orMissing } from './student-texts.ts'
import { type StudentRowsProps, viewButtonId } from './students-table.tsx'

/** The list on a phone: a card for each student, with everything that the table's row has. */
export function StudentsCards(props: StudentRowsProps) {
  const { students, selection, selected, onSelectAll, busy } = props
  return (
    <>
      {selection && (
        <p className="-mt-2 mb-1 flex items-center pl-1 text-sm font-semibold print:hidden">
          <Checkbox
            label="Select all students on every page"
            checked={selected === 'all'}
            mixed={selected === 'some'}
            onChange={onSelectAll}
          />
          <span aria-hidden="true">Select all</span>
        </p>
      )}
      <ul aria-label="Students" aria-busy={busy} className="flex flex-col gap-2">
        {students.map((student) => (
          <StudentCard key={student.id} student={student} {...props} />
        ))}
      </ul>
    </>
  )
}

function StudentCard({
  student,
  fresh,
  selection,
  onView,
  texts,
}: StudentRowsProps & { student: StudentListItem }) {
  const isFresh = fresh.has(student.id)
  const { nstpComponent, archived, contactNumber, email } = student
  return (
    <li
      {...{ [rowAttribute]: student.id }}
      className={clsx('rounded-box border p-3 shadow-card', isFresh ? 'bg-primary-soft' : 'bg-card')}
    >
      <div className="flex items-start gap-1">
        {selection && !archived && (
          <div className="-mt-2 -ml-2">
            <Checkbox
              label={`Select ${listName(student)}`}
              checked={selection.ids.has(student.id)}
              onChange={() => selection.toggle(student.id)}
            />
          </div>
        )}
        <div className="min-w-0 flex-1">
          <p title={listName(student)} className="line-clamp-3 font-semibold wrap-anywhere">
            {listName(student)}
          </p>
          <p className="mt-1 flex flex-wrap gap-1.5">
            {isFresh && <Badge tone="info">New</Badge>}
            <ComponentBadge component={nstpComponent} />
            <StatusBadge archived={archived} />
          </p>
        </div>
        <Button
          id={viewButtonId(student.id)}
          variant="outline"
          aria-label={`View ${listName(student)}`}
          onClick={() => onView(student.id)}
        >
          View
        </Button>
      </div>
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
        <Line label="Sex">{orMissing(student.sex)}</Line>
        <Line label="Course">{orMissing(student.course)}</Line>
        <Line label="Academic Year">{orMissing(student.academicYear)}</Line>
        <Line label="Contact">
          {contactNumber ? <TextLink href={`tel:${contactNumber}`}>{contactNumber}</TextLink> : 'N/A'}
        </Line>
        <Line label="Email">{email ? <TextLink href={`mailto:${email}`}>{email}</TextLink> : 'N/A'}</Line>
        <Line label="Emergency Contact">
          {orMissing(student.emergencyContactName)}
          <br />
          {orMissing(student.emergencyContactNumber)}
        </Line>
        <Line label="Registered">{texts.momentOf(student.registrationDate)}</Line>
      </dl>
    </li>
  )
}

function Line({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  )
}

function TextLink({ href, children }: { href: string; children: React.ReactNode }) {
  return (
    <a href={href} className="text-primary underline underline-offset-2">
      {children}
    </a>
  )
}

/** The cards while the first are being read. */
export function StudentsCardsSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-2 md:hidden">
      <span className="sr-only">Loading students</span>
      {['a', 'b', 'c', 'd'].map((card) => (
        <div
          key={card}
          aria-hidden="true"
          className="flex h-56 flex-col gap-3 rounded-box border bg-card p-3"
        >
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="h-5 w-24" />
          <Skeleton className="mt-2 h-4 w-full" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-1/2" />
        </div>
      ))}
    </div>
  )
}
