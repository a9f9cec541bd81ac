import { Pencil, Printer, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { sectionLabel } from '#shared/terms/terms.ts'
import type { Section } from '#shared/terms/terms-response.ts'
import { ConfirmAction } from '#web/components/confirm-action.tsx'
import { type Column, ListTable } from '#web/components/data-table.tsx'
import { type MenuEntry, RowMenu } from '#web/components/menu.tsx'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { takesLabel } from './section-forms.tsx'

interface SectionsTableProps {
  sections: readonly Section[]
  mayChange: boolean
  onEdit: (id: string) => void
  onList: (section: Section) => void
}

export function SectionsTable({ sections, mayChange, onEdit, onList }: SectionsTableProps) {
  const [deleting, setDeleting] = useState<Section | null>(null)

  function entriesOf(section: Section): MenuEntry[] {
    const isEmpty = section.students === 0
    const list = { label: 'Class list', icon: Printer, disabled: isEmpty, onSelect: () => onList(section) }
    if (!mayChange) return [list]
    return [
      list,
      { label: 'Edit', icon: Pencil, onSelect: () => onEdit(section.id) },
      // The figure beside it says how many are in the way.
      {
        label: 'Delete',
        icon: Trash2,
        danger: true,
        disabled: !isEmpty,
        onSelect: () => setDeleting(section),
      },
    ]
  }

  return (
    <>
      <ListTable
        caption="Sections"
        items={sections}
        columns={columns}
        menu={(section) => <RowMenu of={sectionLabel(section)} entries={entriesOf(section)} />}
      />
      <ConfirmAction
        title="Delete this section?"
        thing={deleting}
        topics={['terms']}
        send={({ id, version }) =>
          callApi(api.sections[':id'].$delete({ param: { id }, header: ifMatch(version) }))
        }
        done={(_none, section) => `${sectionLabel(section)} deleted`}
        onClose={() => setDeleting(null)}
      >
        {(section) => <p className="wrap-anywhere">{sectionLabel(section)} has no students.</p>}
      </ConfirmAction>
    </>
  )
}

const className = 'wrap-anywhere tabular-nums'

const columns: readonly Column<Section>[] = [
  {
    head: 'Section',
    isRowHead: true,
    className: 'font-semibold wrap-anywhere max-md:pr-14 md:min-w-40',
    cell: sectionLabel,
  },
  { head: 'Adviser', className, value: ({ adviser }) => adviser || '–' },
  { head: 'Meets', className, value: ({ meets }) => meets || '–' },
  { head: 'Takes', className, value: ({ takes }) => takesLabel(takes) },
  { head: 'Courses', className, value: ({ courses }) => courses.join(', ') || 'All' },
  {
    head: 'Students',
    className,
    value: ({ students, capacity }) => (
      <>
        {`${figureText(students)} of ${figureText(capacity)}`}
        <Bar part={students / capacity} />
      </>
    ),
  },
  { head: 'Official', className, value: ({ official }) => figureText(official) },
]

/** The figures beside it say the same. */
function Bar({ part }: { part: number }) {
  return (
    <span aria-hidden="true" className="mt-1 block h-1.5 w-24 overflow-hidden rounded-full bg-line">
      <span
        className={`block h-full ${part > 1 ? 'bg-danger' : 'bg-primary'}`}
        style={{ width: `${Math.min(1, part) * 100}%` }}
      />
    </span>
  )
}
