import { useQuery } from '@tanstack/react-query'
import { FastForward, Plus, Printer, UsersRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { sectionMessages } from '#shared/terms/terms.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal, ModalOf } from '#web/components/modal.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { useAccount } from '#web/lib/account.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { sectionsQuery, termsQuery } from '#web/lib/terms.ts'
import { ClassListsModal, type ListedSections } from './class-lists.tsx'
import { ContinueStudents } from './continue-students.tsx'
import { type Cell, isEarlier, type OpenedForm, type PaneProps, termsAddress, unplacedIn } from './data.ts'
import { PlaceStudents } from './place-students.tsx'
import { AddSectionsForm, SectionForm } from './section-forms.tsx'
import { SectionsTable } from './sections-table.tsx'

export function SectionsPane({ term, cell, address, form }: PaneProps) {
  const { can } = useAccount()
  const query = useQuery(sectionsQuery(term))
  const terms = useQuery(termsQuery)
  const hasEarlier = terms.data?.some((other) => isEarlier(other, term)) ?? false
  const [listed, setListed] = useState<ListedSections | null>(null)
  const { component, level } = cell
  const sections = query.data?.filter((one) => one.component === component && one.level === level)
  const own = { term: term.id, component, level: address.level }
  const open = (opened: OpenedForm) => form.open(termsAddress.to({ ...own, open: opened }))
  const close = () => form.close(termsAddress.to(own))
  const mayChange = can('enrolments') && term.state !== 'closed'
  const unplaced = unplacedIn(cell)
  const { cellName } = useLevelNames()
  const place = mayChange && unplaced > 0 && (
    <Button size="sm" icon={UsersRound} onClick={() => open('place')}>
      Place students… ({figureText(unplaced)})
    </Button>
  )
  const resume = mayChange && hasEarlier && (
    <SmallButton icon={FastForward} onClick={() => open('continue')}>
      Continue students…
    </SmallButton>
  )
  const add = mayChange && (
    <SmallButton
      icon={Plus}
      variant={place || cell.placed > 0 ? 'outline' : 'primary'}
      onClick={() => open('sections')}
    >
      Add sections
    </SmallButton>
  )
  return (
    <>
      <LoadedPart query={query} what="the sections" lines={4} className="h-11">
        {() =>
          sections && sections.length > 0 ? (
            <>
              <div className="flex flex-wrap gap-2">
                {place}
                {resume}
                {add}
                {cell.placed > 0 && (
                  <SmallButton
                    icon={Printer}
                    variant={place ? 'outline' : 'primary'}
                    onClick={() => setListed({ section: null })}
                  >
                    Print class lists
                  </SmallButton>
                )}
              </div>
              <SectionsTable
                sections={sections}
                mayChange={mayChange}
                onEdit={(id) => form.open(termsAddress.to({ ...own, section: id }))}
                onList={(section) => setListed({ section })}
              />
            </>
          ) : (
            <NoSections
              cell={cell}
              action={
                mayChange ? (
                  <div className="flex flex-wrap justify-center gap-2">
                    {resume}
                    <Button size="sm" icon={Plus} onClick={() => open('sections')}>
                      Add sections
                    </Button>
                  </div>
                ) : undefined
              }
            />
          )
        }
      </LoadedPart>
      <Modal
        open={address.open === 'sections' && mayChange}
        onClose={close}
        size="side"
        title={`Add sections of ${cellName(cell)}`}
      >
        <AddSectionsForm term={term} cell={cell} held={sections ?? []} onClose={close} />
      </Modal>
      <Modal
        open={address.open === 'place' && mayChange && sections !== undefined}
        onClose={close}
        size="lg"
        title={`Place students of ${cellName(cell)}`}
      >
        <PlaceStudents
          term={term}
          cell={cell}
          sections={sections ?? []}
          onAddSections={() => form.open(termsAddress.to({ ...own, open: 'sections' }), { replace: true })}
          onClose={close}
        />
      </Modal>
      <Modal
        open={address.open === 'continue' && mayChange}
        onClose={close}
        size="lg"
        title="Continue students of earlier terms"
      >
        <ContinueStudents
          term={term}
          cell={cell}
          onClose={close}
          onContinued={(level) => form.open(termsAddress.to({ ...own, level }), { replace: true })}
        />
      </Modal>
      <ClassListsModal term={term} cell={cell} listed={listed} onClose={() => setListed(null)} />
      <ModalOf thing={mayChange ? address.section : null} onClose={close} size="side" title="Edit section">
        {(id) => (
          <LoadedPart query={query} what="the section" lines={4} className="h-14">
            {(all) => {
              const section = all.find((one) => one.id === id)
              return section ? (
                <SectionForm term={term} section={section} held={all} onClose={close} />
              ) : (
                <ErrorBanner message={sectionMessages.missing} />
              )
            }}
          </LoadedPart>
        )}
      </ModalOf>
    </>
  )
}

function NoSections({ cell, action }: { cell: Cell; action: ReactNode }) {
  const waiting = unplacedIn(cell)
  const { levelName } = useLevelNames()
  return (
    <EmptyState
      icon={UsersRound}
      title={`${cell.component} has no sections of ${levelName(cell.component, cell.level)} yet.`}
      action={action}
    >
      {waiting === 0
        ? 'Students are placed in them when they have enlisted.'
        : `${figureText(waiting)} ${waiting === 1 ? 'student waits' : 'students wait'} for one.`}
    </EmptyState>
  )
}
