import { useQuery } from '@tanstack/react-query'
import { ArrowRightLeft, Mail, Users } from 'lucide-react'
import { parseAsStringLiteral } from 'nuqs/server'
import { useState } from 'react'
import { limitStandings } from '#shared/attendance/standing.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { studentName } from '#shared/students/student-name.ts'
import { maxPage, maxSearchLength } from '#shared/students/students.ts'
import { enrolmentSorts, type MissingOfEnrolment, missingOfEnrolments } from '#shared/terms/enrolments.ts'
import type { EnrolmentItem } from '#shared/terms/enrolments-response.ts'
import { outcomeNames } from '#shared/terms/marking.ts'
import { outcomes, sectionLabel, termLabel } from '#shared/terms/terms.ts'
import type { Section, Term } from '#shared/terms/terms-response.ts'
import { SmallButton } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { SearchFilter, SelectFilter } from '#web/components/list-filters.tsx'
import { useMailStudents } from '#web/components/mail-students.ts'
import { ModalOf } from '#web/components/modal.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { SelectionBar } from '#web/components/selection-bar.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { useAccount } from '#web/lib/account.ts'
import { createAddress, parseAsId, parseAsPage, parseAsSearch } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api } from '#web/lib/api.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { type ListAddress, useListAddress, usePage } from '#web/lib/list.ts'
import { optionsOf } from '#web/lib/options.ts'
import { sectionsQuery } from '#web/lib/terms.ts'
import { AddToTerm, FoundElsewhere, type Newcomer } from './add-to-term.tsx'
import { type Cell, levelTexts, type PaneProps } from './data.ts'
import { MoveOrDropModal } from './move-or-drop.tsx'
import { EnrolmentsTable, UnplacedTable } from './students-table.tsx'

/** Waiting: for a section, enrolled or not. */
const shownStudents = ['enrolled', 'waiting', 'dropped', 'moved', 'all'] as const

const shownOutcomes = ['all', ...outcomes] as const

const shownStandings = ['all', ...limitStandings] as const

const termStudentsAddress = createAddress(tabPath('terms', { pane: 'students' }), {
  term: parseAsId,
  component: parseAsStringLiteral(nstpComponents),
  level: parseAsStringLiteral(levelTexts),
  status: parseAsStringLiteral(shownStudents).withDefault('enrolled'),
  /** The section whose students are shown. */
  within: parseAsId,
  missing: parseAsStringLiteral(missingOfEnrolments).withDefault('none'),
  outcome: parseAsStringLiteral(shownOutcomes).withDefault('all'),
  standing: parseAsStringLiteral(shownStandings).withDefault('all'),
  search: parseAsSearch(maxSearchLength),
  sort: parseAsStringLiteral(enrolmentSorts).withDefault('name'),
  page: parseAsPage(maxPage),
})

type TermStudentsAddress = ReturnType<typeof termStudentsAddress.read>

/** A link of somebody who calls attendance, without what tells it. */
const withoutStanding = (address: TermStudentsAddress): TermStudentsAddress => ({
  ...address,
  standing: 'all',
})

/** A link of somebody who reads marks, without what tells them. */
function withoutMarks({ status, missing, outcome, sort, ...others }: TermStudentsAddress) {
  const isNeutral = missing !== 'mark' && outcome === 'all'
  return {
    ...others,
    status: status === 'waiting' ? 'enrolled' : status,
    missing: isNeutral ? missing : 'none',
    outcome: 'all',
    sort: sort.endsWith('entry') ? 'name' : sort,
  } satisfies TermStudentsAddress
}

const statusTexts: Record<(typeof shownStudents)[number], string> = {
  enrolled: 'Enrolled',
  waiting: 'Waiting for a section',
  dropped: 'Dropped',
  moved: 'Moved away',
  all: 'All in the term',
}

const missingTexts: Record<MissingOfEnrolment, string> = {
  none: 'Missing …',
  section: 'Section',
  official: 'On the registrar’s list',
  mark: 'Mark',
}

/** The students in a component and level of a term, and those who wait for it. */
export function StudentsPane({ term, cell, address: { component, level } }: PaneProps) {
  const { can } = useAccount()
  const [added, setAdded] = useState<Newcomer | null>(null)
  const closeAdding = () => setAdded(null)
  const { data: sections = [] } = useQuery(sectionsQuery(term))
  const own = sections.filter((one) => one.component === cell.component && one.level === cell.level)
  const list = useListAddress(termStudentsAddress, { page: 1 }, (linked) => {
    const here = { ...linked, term: term.id, component, level }
    const readable = can('marks.read') ? here : withoutMarks(here)
    return can('enrolments') ? readable : withoutStanding(readable)
  })
  const mayChange = can('enrolments') && term.state !== 'closed'
  const props = { term, cell, sections, list, onAdd: mayChange ? setAdded : null }
  return (
    <div className="flex flex-col gap-2">
      <Filters list={list} sections={own} />
      {list.values.status === 'waiting' ? <Waiting {...props} /> : <Enrolled {...props} />}
      <ModalOf
        thing={added}
        onClose={closeAdding}
        size="sm"
        title={(student) => `Add ${studentName(student)} to ${termLabel(term)}`}
      >
        {(student) => (
          <AddToTerm term={term} cell={cell} sections={sections} student={student} onClose={closeAdding} />
        )}
      </ModalOf>
    </div>
  )
}

function Filters({ list, sections }: Pick<ListProps, 'list' | 'sections'>) {
  const { can } = useAccount()
  const readsMarks = can('marks.read')
  const isWaiting = list.values.status === 'waiting'
  const select = { list, isLabelHidden: true, className: 'min-w-[min(8rem,100%)] flex-1' }
  return (
    <div className="flex flex-wrap items-start gap-2">
      {!isWaiting && (
        <SearchFilter
          list={list}
          id="term-students-search"
          placeholder="Name, number, course …"
          isLabelHidden
          mostLetters={maxSearchLength}
        />
      )}
      <SelectFilter
        {...select}
        name="status"
        label="Status"
        options={shownStudents
          .filter((value) => value !== 'waiting' || readsMarks)
          .map((value) => ({ value, label: statusTexts[value] }))}
      />
      {!isWaiting && (
        <>
          <SelectFilter
            {...select}
            name="within"
            label="Section"
            options={[
              { value: '', label: 'All sections' },
              ...sections.map((section) => ({ value: section.id, label: sectionLabel(section) })),
            ]}
          />
          <SelectFilter
            {...select}
            name="missing"
            label="Missing"
            options={missingOfEnrolments
              .filter((value) => value !== 'mark' || readsMarks)
              .map((value) => ({ value, label: missingTexts[value] }))}
          />
          {readsMarks && (
            <SelectFilter
              {...select}
              name="outcome"
              label="Outcome"
              options={optionsOf(shownOutcomes, outcomeTexts)}
            />
          )}
          {can('enrolments') && (
            <SelectFilter
              {...select}
              name="standing"
              label="Absences"
              options={optionsOf(shownStandings, standingTexts)}
            />
          )}
        </>
      )}
    </div>
  )
}

const outcomeTexts: Record<(typeof shownOutcomes)[number], string> = {
  ...outcomeNames,
  all: 'Outcome …',
  none: 'None yet',
}

const standingTexts: Record<(typeof shownStandings)[number], string> = {
  all: 'Absences …',
  near: 'Near limit',
  over: 'Over limit',
}

interface ListProps {
  term: Term
  cell: Cell
  /** All sections of the term. */
  sections: readonly Section[]
  list: ListAddress<TermStudentsAddress>
  /** Null for an account that may not add students. */
  onAdd: ((student: Newcomer) => void) | null
}

/** All on a page can be selected at once. */
const pageSize = 100

const pageOf = ({ component, level }: Cell, page: number) => ({
  component,
  level: level === 1 ? ('1' as const) : ('2' as const),
  page: String(page),
  pageSize: String(pageSize),
})

function Enrolled({ term, cell, sections, list, onAdd }: ListProps) {
  const address = list.values
  const { status, within, missing, outcome, standing, search, sort, page } = address
  const query = usePage(
    ['terms', 'enrolments'],
    api.terms[':id'].enrolments.$get,
    {
      param: { id: term.id },
      query: {
        ...pageOf(cell, page),
        ...{ missing, outcome, standing, search, sort, status: status === 'waiting' ? 'enrolled' : status },
        ...(within !== null && { section: within }),
      },
    },
    standing === 'all' ? ['students'] : ['students', 'attendance'],
  )
  const [selected, setSelected] = useSelected(address)
  const [changed, setChanged] = useState<readonly EnrolmentItem[] | null>(null)
  const mail = useMailStudents()
  const { cellName } = useLevelNames()
  const mayChange = onAdd !== null
  const mayMail = useAccount().can('mail')
  const maySelect = mayChange || mayMail
  return (
    <>
      {maySelect && (
        <SelectionBar size={selected.size} onClear={() => setSelected(nobody)}>
          {mayChange && (
            <SmallButton icon={ArrowRightLeft} onClick={() => setChanged([...selected.values()])}>
              Move or drop…
            </SmallButton>
          )}
          {mayMail && (
            <SmallButton
              icon={Mail}
              onClick={() => mail([...selected.values()].map(({ student }) => student.id))}
            >
              E-mail
            </SmallButton>
          )}
        </SelectionBar>
      )}
      <LoadedPart query={query} what="the students" lines={8} className="h-11">
        {({ items, ...pages }) => (
          <>
            {items.length === 0 ? (
              <EmptyState
                icon={Users}
                title={
                  search !== '' || missing !== 'none' || outcome !== 'all' || standing !== 'all'
                    ? 'Nobody here matches.'
                    : `Nobody is in ${cellName(cell)} yet.`
                }
              />
            ) : (
              <EnrolmentsTable
                items={items}
                busy={query.isPlaceholderData}
                sort={sort}
                onSort={(sort) => list.show({ sort })}
                selected={maySelect ? selected : null}
                onSelect={setSelected}
                onChange={mayChange ? (item) => setChanged([item]) : null}
              />
            )}
            {pages.total > 0 && <Pagination {...pages} noun="student" to={(page) => list.to({ page })} />}
            {search !== '' && onAdd && (
              <FoundElsewhere search={search} listed={items.map(({ student }) => student.id)} onAdd={onAdd} />
            )}
          </>
        )}
      </LoadedPart>
      <MoveOrDropModal
        term={term}
        sections={sections}
        enrolments={changed}
        onDone={() => setSelected(nobody)}
        onClose={() => setChanged(null)}
      />
    </>
  )
}

type Selected = ReadonlyMap<string, EnrolmentItem>

const nobody: Selected = new Map()

/** The selection is of these filters. Under other filters nobody is selected, so that no action reaches rows out of sight. */
function useSelected({ page: _page, sort: _sort, ...filters }: TermStudentsAddress) {
  const key = JSON.stringify(filters)
  const [state, setState] = useState({ key, selected: nobody })
  const setSelected = (selected: Selected) => setState({ key, selected })
  return [state.key === key ? state.selected : nobody, setSelected] as const
}

function Waiting({ term, cell, list, onAdd }: ListProps) {
  const query = usePage(
    ['terms', 'unplaced'],
    api.terms[':id'].unplaced.$get,
    { param: { id: term.id }, query: pageOf(cell, list.values.page) },
    ['students'],
  )
  const { cellName } = useLevelNames()
  return (
    <LoadedPart query={query} what="the students" lines={8} className="h-11">
      {({ items, ...pages }) => (
        <>
          {items.length === 0 ? (
            <EmptyState icon={Users} title={`Nobody waits for a section of ${cellName(cell)}.`} />
          ) : (
            <UnplacedTable cell={cell} items={items} busy={query.isPlaceholderData} onAdd={onAdd} />
          )}
          {pages.total > 0 && <Pagination {...pages} noun="student" to={(page) => list.to({ page })} />}
        </>
      )}
    </LoadedPart>
  )
}
