import { Pencil, Printer, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { sectionLabel } from '#shared/terms/terms.ts'
import type { Section } from '#shared/terms/terms-response.ts'
import { ActionsCell, RowHead, StackedCell, StackedRow, StackedTable } from '#web/components/data-table.tsx'
import { RowMenu } from '#web/components/menu.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { takesLabel } from './section-forms.tsx'

interface SectionsTableProps {
  sections: readonly Section[]
  mayChange: boolean
  onEdit: (id: string) => void
  onList: (section: Section) => void
}

const heads = ['Adviser', 'Meets', 'Takes', 'Courses', 'Students', 'Official'] as const

export function SectionsTable({ sections, mayChange, onEdit, onList }: SectionsTableProps) {
  const [asked, setAsked] = useState<Section | null>(null)
  const deletion = useAction({
    topics: ['terms'],
    mutationFn: ({ id, version }: Section) =>
      callApi(api.sections[':id'].$delete({ param: { id }, header: { 'if-match': `"${version}"` } })),
    onSuccess(_, section) {
      setAsked(null)
      showToast({ type: 'success', message: `${sectionLabel(section)} deleted` })
    },
  })
  return (
    <>
      <StackedTable caption="Sections" heads={['Section', ...heads]} actions="w-12">
        {sections.map((section) => (
          <SectionRow
            key={section.id}
            section={section}
            mayChange={mayChange}
            onEdit={() => onEdit(section.id)}
            onList={() => onList(section)}
            onDelete={() => setAsked(section)}
          />
        ))}
      </StackedTable>
      <QuestionModal
        title="Delete this section?"
        thing={asked}
        action={deletion}
        onConfirm={deletion.run}
        onClose={() => setAsked(null)}
      >
        {(section) => <p className="wrap-anywhere">{sectionLabel(section)} has no students.</p>}
      </QuestionModal>
    </>
  )
}

interface SectionRowProps {
  section: Section
  mayChange: boolean
  onEdit: () => void
  onList: () => void
  onDelete: () => void
}

function SectionRow({ section, mayChange, onEdit, onList, onDelete }: SectionRowProps) {
  const { adviser, meets, takes, courses, students, official, capacity } = section
  const label = sectionLabel(section)
  const texts: Record<(typeof heads)[number], string> = {
    Adviser: adviser || '–',
    Meets: meets || '–',
    Takes: takesLabel(takes),
    Courses: courses.join(', ') || 'All',
    Students: `${figureText(students)} of ${figureText(capacity)}`,
    Official: figureText(official),
  }
  return (
    <StackedRow className="max-md:relative">
      <RowHead className="font-semibold wrap-anywhere max-md:pr-14 md:min-w-40">{label}</RowHead>
      {heads.map((head) => (
        <StackedCell key={head} head={head} className="wrap-anywhere">
          <span className="tabular-nums">{texts[head]}</span>
          {head === 'Students' && <Bar part={students / capacity} />}
        </StackedCell>
      ))}
      <ActionsCell>
        <RowMenu
          of={label}
          entries={[
            { label: 'Class list', icon: Printer, disabled: students === 0, onSelect: onList },
            ...(mayChange
              ? [
                  { label: 'Edit', icon: Pencil, onSelect: onEdit },
                  {
                    label: 'Delete',
                    icon: Trash2,
                    danger: true,
                    // The figure beside it says how many are in the way.
                    disabled: students > 0,
                    onSelect: onDelete,
                  },
                ]
              : []),
          ]}
        />
      </ActionsCell>
    </StackedRow>
  )
}

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
