import { clsx } from 'clsx'
import { Fragment } from 'react'
import type { StudentListItem } from '#shared/student.ts'
import { Badge } from '#web/components/badge.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { Checkbox } from './checkbox.tsx'
import { ActionButtons } from './row-actions.tsx'
import { rowAttribute } from './row-attributes.ts'
import { listName } from './student-texts.ts'
import type { StudentRowsProps } from './students-table.tsx'

/** A list on a phone: a card for each student, with everything that the table's row has. */
export function StudentsCards(props: StudentRowsProps) {
  const { students, selection, selected, onSelectAll, layout, busy } = props
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
      <ul aria-label={layout.title} aria-busy={busy} className="flex flex-col gap-2">
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
  actionsOf,
  renderMark,
  layout: { card },
  texts,
}: StudentRowsProps & { student: StudentListItem }) {
  const isFresh = fresh.has(student.id)
  const name = listName(student)
  return (
    <li
      {...{ [rowAttribute]: student.id }}
      className={clsx('rounded-box border p-3 shadow-card', isFresh ? 'bg-primary-soft' : 'bg-card')}
    >
      <div className="flex items-start gap-1">
        {selection && !student.archived && (
          <div className="-mt-2 -ml-2">
            <Checkbox
              label={`Select ${name}`}
              checked={selection.ids.has(student.id)}
              onChange={() => selection.toggle(student.id)}
            />
          </div>
        )}
        <div className="min-w-0 flex-1">
          <p title={name} className="line-clamp-3 font-semibold wrap-anywhere">
            {name}
          </p>
          <p className="mt-1 flex flex-wrap items-center gap-1.5">
            {isFresh && <Badge tone="info">New</Badge>}
            {card.badges(student)}
            {renderMark?.(student)}
          </p>
        </div>
      </div>
      <dl className="mt-3 mb-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
        {card.lines.map(({ label, render }) => (
          <Fragment key={label}>
            <dt className="text-muted">{label}</dt>
            <dd className="wrap-anywhere">{render(student, texts)}</dd>
          </Fragment>
        ))}
      </dl>
      <ActionButtons isCard student={student} actions={actionsOf(student)} />
    </li>
  )
}

/** The cards while the first are being read. */
export function StudentsCardsSkeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-2 md:hidden">
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
