import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal, UsersRound } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router'
import { sectionLabel } from '#shared/terms/terms.ts'
import { SmallButton } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { SelectField } from '#web/components/field.tsx'
import { Modal } from '#web/components/modal.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { useAccount } from '#web/lib/account.ts'
import { tabOf } from '#web/lib/admin-tab.ts'
import { api, reading } from '#web/lib/api.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { adminPath } from '#web/lib/next-path.ts'
import { sectionsQuery } from '#web/lib/terms.ts'
import { type PaneProps, termsAddress } from './data.ts'
import { MarksGrid } from './marks-grid.tsx'
import { SchemeForm } from './scheme-form.tsx'

const noSection = 'none'

export function MarksPane({ term, cell, address, form }: PaneProps) {
  const navigate = useNavigate()
  const { search, state } = useLocation()
  const sections = useQuery(sectionsQuery(term))
  const options = (sections.data ?? [])
    .filter(
      ({ id, component, level, students }) =>
        component === cell.component && level === cell.level && (students > 0 || id === address.marks),
    )
    .map((section) => ({ value: section.id, label: sectionLabel(section) }))
  if (cell.withoutSection > 0 || address.marks === noSection) {
    options.push({ value: noSection, label: 'Without a section' })
  }
  const chosen = (options.find(({ value }) => value === address.marks) ?? options[0])?.value
  const own = termsAddress.to({ ...address, marks: chosen ?? null })
  const isWritten = own === termsAddress.to(termsAddress.read(search))
  const isChosen = sections.data !== undefined && chosen !== undefined
  // A list chosen for the user stays: another one, by somebody else's change, would lose the typed marks.
  useEffect(() => {
    if (isChosen && !isWritten) void navigate(own, { replace: true, state, preventScrollReset: true })
  }, [isChosen, isWritten, own, state, navigate])
  const { cellName } = useLevelNames()
  return (
    <LoadedPart query={sections} what="the sections" lines={4} className="h-11">
      {() =>
        chosen === undefined ? (
          <EmptyState icon={UsersRound} title={`Nobody is in ${cellName(cell)} yet.`}>
            Marks are entered when students are in the term.
          </EmptyState>
        ) : (
          <SectionMarks
            {...{ term, cell, address, form }}
            section={chosen}
            chooser={
              <SelectField
                name="marks"
                label="Section"
                isLabelHidden
                density="compact"
                className="w-fit max-w-full"
                options={options}
                value={chosen}
                onChange={({ target }) =>
                  void navigate(termsAddress.to({ ...address, marks: target.value }), {
                    preventScrollReset: true,
                  })
                }
              />
            }
          />
        )
      }
    </LoadedPart>
  )
}

interface SectionMarksProps extends Pick<PaneProps, 'term' | 'cell' | 'address' | 'form'> {
  section: string
  /** The choice of the section. */
  chooser: ReactNode
}

function SectionMarks({ term, cell, address, form, section, chooser }: SectionMarksProps) {
  const { can } = useAccount()
  const { component, level } = cell
  const query = useQuery({
    queryKey: ['terms', 'marks', term.id, component, level, section],
    // Names, and what was attended.
    meta: { topics: ['students', 'attendance'] },
    queryFn: reading(api.terms[':id'].marks.$get, {
      param: { id: term.id },
      query: {
        component,
        level: level === 1 ? '1' : '2',
        ...(section === noSection ? {} : { section }),
      },
    }),
  })
  const isWorked = can('enrolments') && can('marks') && term.state !== 'closed'
  // Where it can't be read, nothing is proposed.
  const over = useQuery({
    queryKey: ['attendance', 'over', term.id, component, level, section],
    queryFn: reading(api.terms[':id'].attendance.$get, {
      param: { id: term.id },
      query: { component, level: level === 1 ? '1' : '2', section, standing: 'over' },
    }),
    enabled: isWorked,
  })
  const isHere = ({ pathname, search }: Location) => {
    const next = termsAddress.read(search)
    return (
      pathname === adminPath &&
      tabOf(search) === 'terms' &&
      next.pane === 'marks' &&
      next.marks === address.marks &&
      (next.term ?? term.id) === term.id &&
      (next.component ?? component) === component &&
      (next.level ?? address.level) === address.level
    )
  }
  const mayChange = can('enrolments') && term.state !== 'closed'
  const isFormOpen = address.open === 'parts' && mayChange
  const close = () => form.close(termsAddress.to({ ...address, open: null }))
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {chooser}
        {query.data && mayChange && (
          <SmallButton
            icon={SlidersHorizontal}
            onClick={() => form.open(termsAddress.to({ ...address, open: 'parts' }))}
          >
            {query.data.scheme ? 'Parts of the mark' : 'Marks by parts'}
          </SmallButton>
        )}
      </div>
      <LoadedPart query={query} what="the marks" lines={8} className="h-11">
        {(list) => (
          <>
            <MarksGrid
              key={section}
              term={term}
              list={list}
              over={new Set(over.data?.students.map(({ student }) => student.id))}
              isHere={isHere}
              isGuarded={!isFormOpen}
            />
            <Modal open={isFormOpen} onClose={close} size="lg" title={`Parts of the mark: ${component}`}>
              <SchemeForm term={term} component={component} scheme={list.scheme} onClose={close} />
            </Modal>
          </>
        )}
      </LoadedPart>
    </>
  )
}
