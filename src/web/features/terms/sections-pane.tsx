import { useQuery } from '@tanstack/react-query'
import { FastForward, Plus, Printer, UsersRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, SmallButton } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { useAccount } from '#web/lib/account.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { termsQuery } from '#web/lib/terms.ts'
import { ClassListsModal, type ListedSections } from './class-lists.tsx'
import { ContinueStudentsModal } from './continue-students.tsx'
import {
  type Cell,
  isEarlier,
  type OpenedForm,
  type PaneProps,
  sectionsQuery,
  termsAddress,
  unplacedIn,
} from './data.ts'
import { PlaceStudentsModal } from './place-students.tsx'
import { AddSectionsModal, SectionPanel } from './section-forms.tsx'
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
                    <AddFirst onAdd={() => open('sections')} />
                  </div>
                ) : undefined
              }
            />
          )
        }
      </LoadedPart>
      <AddSectionsModal
        isOpen={address.open === 'sections' && mayChange}
        term={term}
        cell={cell}
        held={sections ?? []}
        onClose={close}
      />
      {sections && (
        <PlaceStudentsModal
          isOpen={address.open === 'place' && mayChange}
          term={term}
          cell={cell}
          sections={sections}
          onAddSections={() => form.open(termsAddress.to({ ...own, open: 'sections' }), { replace: true })}
          onClose={close}
        />
      )}
      <ContinueStudentsModal
        isOpen={address.open === 'continue' && mayChange}
        term={term}
        cell={cell}
        onClose={close}
        onContinued={(level) => form.open(termsAddress.to({ ...own, level }), { replace: true })}
      />
      <ClassListsModal term={term} cell={cell} listed={listed} onClose={() => setListed(null)} />
      <SectionPanel
        term={term}
        opened={mayChange ? address.section : null}
        sections={query.data}
        onClose={close}
      />
    </>
  )
}

function AddFirst({ onAdd }: { onAdd: () => void }) {
  return (
    <Button size="sm" icon={Plus} onClick={onAdd}>
      Add sections
    </Button>
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
