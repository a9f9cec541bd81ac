import { useQuery } from '@tanstack/react-query'
import { ArrowRightLeft, Mail, Users } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { maxSearchLength } from '#shared/students/students.ts'
import type { MissingOfEnrolment } from '#shared/terms/enrolments.ts'
import type { EnrolmentItem } from '#shared/terms/enrolments-response.ts'
import { outcomeNames } from '#shared/terms/marking.ts'
import { sectionLabel } from '#shared/terms/terms.ts'
import type { Section, Term } from '#shared/terms/terms-response.ts'
import { SmallButton } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { SelectField } from '#web/components/field.tsx'
import { useMailStudents } from '#web/components/mail-students.ts'
import { Pagination } from '#web/components/pagination.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { SelectionBar } from '#web/components/selection-bar.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { useAccount } from '#web/lib/account.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { AddToTermModal, FoundElsewhere, type Newcomer } from './add-to-term.tsx'
import { type Cell, type PaneProps, sectionsQuery } from './data.ts'
import { MoveOrDropModal } from './move-or-drop.tsx'
import {
  shownOutcomes,
  shownStudents,
  type TermStudentsAddress,
  termStudentsAddress,
  useEnrolments,
  useUnplaced,
  withoutMarks,
} from './students-data.ts'
import { EnrolmentsTable, UnplacedTable } from './students-table.tsx'

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
  const navigate = useNavigate()
  const { can } = useAccount()
  const [added, setAdded] = useState<Newcomer | null>(null)
  const { data: sections = [] } = useQuery(sectionsQuery(term))
  const own = sections.filter((one) => one.component === cell.component && one.level === cell.level)
  const linked = { ...termStudentsAddress.read(useLocation().search), term: term.id, component, level }
  const address = can('marks.read') ? linked : withoutMarks(linked)
  const mayChange = can('enrolments') && term.state !== 'closed'

  function show(changes: Partial<TermStudentsAddress>, options: { replace?: boolean } = {}) {
    const next = termStudentsAddress.to({ ...address, page: 1, ...changes })
    void navigate(next, { ...options, preventScrollReset: true })
  }

  const props = { term, cell, sections, address, show, onAdd: mayChange ? setAdded : null }
  return (
    <div className="flex flex-col gap-2">
      <Filters address={address} sections={own} onChange={show} />
      {address.status === 'waiting' ? <Waiting {...props} /> : <Enrolled {...props} />}
      <AddToTermModal
        term={term}
        cell={cell}
        sections={sections}
        added={added}
        onClose={() => setAdded(null)}
      />
    </div>
  )
}

interface FiltersProps {
  address: TermStudentsAddress
  sections: readonly Section[]
  onChange: (changes: Partial<TermStudentsAddress>, options?: { replace?: boolean }) => void
}

function Filters({ address, sections, onChange }: FiltersProps) {
  const { status, within, missing, outcome, search } = address
  const readsMarks = useAccount().can('marks.read')
  const className = 'min-w-[min(8rem,100%)] flex-1'
  const isWaiting = status === 'waiting'
  return (
    <div className="flex flex-wrap items-start gap-2">
      {!isWaiting && (
        <SearchBox
          id="term-students-search"
          className="min-w-[min(16rem,100%)] flex-[2_1_16rem] max-md:basis-full"
          placeholder="Name, number, course …"
          isLabelHidden
          mostLetters={maxSearchLength}
          value={search}
          onSearch={(text) => onChange({ search: text }, { replace: true })}
        />
      )}
      <SelectField
        name="term-students-status"
        className={className}
        label="Status"
        isLabelHidden
        density="compact"
        options={shownStudents
          .filter((value) => value !== 'waiting' || readsMarks)
          .map((value) => ({ value, label: statusTexts[value] }))}
        value={status}
        onChange={({ target }) =>
          onChange({ status: shownStudents.find((one) => one === target.value) ?? 'enrolled' })
        }
      />
      {!isWaiting && (
        <>
          <SelectField
            name="term-students-section"
            className={className}
            label="Section"
            isLabelHidden
            density="compact"
            placeholder="All sections"
            options={sections.map((section) => ({ value: section.id, label: sectionLabel(section) }))}
            value={within ?? ''}
            onChange={({ target }) => onChange({ within: target.value || null })}
          />
          <SelectField
            name="term-students-missing"
            className={className}
            label="Missing"
            isLabelHidden
            density="compact"
            options={Object.entries(missingTexts)
              .filter(([value]) => value !== 'mark' || readsMarks)
              .map(([value, label]) => ({ value, label }))}
            value={missing}
            onChange={({ target }) => onChange({ missing: missingOf(target.value) })}
          />
          {readsMarks && (
            <SelectField
              name="term-students-outcome"
              className={className}
              label="Outcome"
              isLabelHidden
              density="compact"
              options={shownOutcomes.map((value) => ({ value, label: outcomeTexts[value] }))}
              value={outcome}
              onChange={({ target }) =>
                onChange({ outcome: shownOutcomes.find((one) => one === target.value) ?? 'all' })
              }
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

function missingOf(text: string): MissingOfEnrolment {
  return text === 'section' || text === 'official' || text === 'mark' ? text : 'none'
}

interface ListProps {
  term: Term
  cell: Cell
  /** All sections of the term. */
  sections: readonly Section[]
  address: TermStudentsAddress
  show: (changes: Partial<TermStudentsAddress>) => void
  /** Null for an account that may not add students. */
  onAdd: ((student: Newcomer) => void) | null
}

function Enrolled({ term, cell, sections, address, show, onAdd }: ListProps) {
  const query = useEnrolments(term, cell, address)
  const [selected, setSelected] = useSelected(address)
  const [changed, setChanged] = useState<readonly EnrolmentItem[] | null>(null)
  const mail = useMailStudents()
  const { cellName } = useLevelNames()
  const mayChange = onAdd !== null
  const mayMail = useAccount().can('mail')
  const maySelect = mayChange || mayMail
  const { search } = address
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
        {({ items, total, page, pageSize }) => (
          <>
            {items.length === 0 ? (
              <EmptyState
                icon={Users}
                title={
                  search !== '' || address.missing !== 'none' || address.outcome !== 'all'
                    ? 'Nobody here matches.'
                    : `Nobody is in ${cellName(cell)} yet.`
                }
              />
            ) : (
              <EnrolmentsTable
                items={items}
                busy={query.isPlaceholderData}
                sort={address.sort}
                onSort={(sort) => show({ sort })}
                selected={maySelect ? selected : null}
                onSelect={setSelected}
                onChange={mayChange ? (item) => setChanged([item]) : null}
              />
            )}
            {total > 0 && <Pages address={address} page={page} pageSize={pageSize} total={total} />}
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

function Waiting({ term, cell, address, onAdd }: ListProps) {
  const query = useUnplaced(term, cell, address)
  const { cellName } = useLevelNames()
  return (
    <LoadedPart query={query} what="the students" lines={8} className="h-11">
      {({ items, total, page, pageSize }) => (
        <>
          {items.length === 0 ? (
            <EmptyState icon={Users} title={`Nobody waits for a section of ${cellName(cell)}.`} />
          ) : (
            <UnplacedTable cell={cell} items={items} busy={query.isPlaceholderData} onAdd={onAdd} />
          )}
          {total > 0 && <Pages address={address} page={page} pageSize={pageSize} total={total} />}
        </>
      )}
    </LoadedPart>
  )
}

interface PagesProps {
  address: TermStudentsAddress
  page: number
  pageSize: number
  total: number
}

function Pages({ address, ...props }: PagesProps) {
  return <Pagination {...props} noun="student" to={(page) => termStudentsAddress.to({ ...address, page })} />
}
