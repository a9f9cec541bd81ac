import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  CalendarCheck,
  CalendarCog,
  CalendarRange,
  CalendarX,
  ChevronDown,
  CircleCheck,
  History,
  Plus,
  Trash2,
} from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Permission } from '#shared/people/permissions.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { type TermState, termLabel } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { SelectField } from '#web/components/field.tsx'
import { Menu, type MenuEntry } from '#web/components/menu.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { Loaded, LoadedPart, TabFrame } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useAccount } from '#web/lib/account.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { rangeOf } from '#web/lib/relative-time.ts'
import { termsQuery } from '#web/lib/terms.ts'
import {
  type Cell,
  chosenCell,
  levelTexts,
  type PaneProps,
  paneNames,
  summaryQuery,
  type TermPane,
  type TermsAddress,
  termsAddress,
  unmarkedIn,
  unplacedIn,
} from './data.ts'
import { MarksPane } from './marks-pane.tsx'
import { RecentChangesModal } from './recent-changes.tsx'
import { SectionsPane } from './sections-pane.tsx'
import { StudentsPane } from './students-pane.tsx'
import { NewTermModal, TermDatesModal } from './term-form.tsx'

const panes: Record<TermPane, { label: string; needs: Permission; Pane: ComponentType<PaneProps> }> = {
  sections: { label: 'Sections', needs: 'terms.read', Pane: SectionsPane },
  students: { label: 'Students', needs: 'terms.read', Pane: StudentsPane },
  marks: { label: 'Marks', needs: 'marks.read', Pane: MarksPane },
  // The lists that the office receives are of the whole term. Another feature renders them.
  lists: { label: 'Lists', needs: 'enrolments', Pane: ({ term, renderLists }) => renderLists(term) },
}

export function TermsTab({ renderLists }: Pick<PaneProps, 'renderLists'>) {
  const query = useQuery(termsQuery)
  const { can } = useAccount()
  const navigate = useNavigate()
  const address = termsAddress.read(useLocation().search)
  const form = useFormAddress(address.open !== null || address.section !== null)
  const terms = query.data
  const list = termsAddress.to({ ...address, open: null, section: null })
  const openTerm = (
    <Button
      size="sm"
      icon={Plus}
      onClick={() => form.open(termsAddress.to({ ...address, open: 'new-term' }))}
    >
      Open a term
    </Button>
  )
  return (
    <TabFrame query={query} failure="Failed to load the terms">
      <div className="flex flex-col gap-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-2xl font-bold tracking-tight">Terms & Sections</h1>
          {terms && terms.length > 0 && can('terms') && openTerm}
        </div>
        <Loaded query={query} what="the terms" lines={4} className="h-14">
          {(loaded) => {
            const term =
              loaded.find(({ id }) => id === address.term) ??
              loaded.find(({ state }) => state === 'open') ??
              loaded[0]
            return term ? (
              <TermScreen
                key={term.id}
                term={term}
                terms={loaded}
                address={address}
                form={form}
                renderLists={renderLists}
              />
            ) : (
              <EmptyState
                icon={CalendarRange}
                title="No term yet."
                action={can('terms') ? openTerm : undefined}
              >
                A term holds the sections, class lists and marks of one semester. Enlistment works without it.
              </EmptyState>
            )
          }}
        </Loaded>
        <NewTermModal
          isOpen={address.open === 'new-term' && can('terms')}
          terms={terms ?? []}
          onAdded={(id) =>
            void navigate(termsAddress.to({ term: id }), { replace: true, preventScrollReset: true })
          }
          onClose={() => form.close(list)}
        />
      </div>
    </TabFrame>
  )
}

interface TermScreenProps extends Pick<PaneProps, 'renderLists'> {
  term: Term
  terms: readonly Term[]
  address: TermsAddress
  form: ReturnType<typeof useFormAddress>
}

function TermScreen({ term, terms, address, form, renderLists }: TermScreenProps) {
  const { can } = useAccount()
  const navigate = useNavigate()
  const summary = useQuery({
    ...summaryQuery(term),
    // A change of students changes who waits.
    meta: { topics: ['students'] },
    placeholderData: keepPreviousData,
  })
  const { component, level, pane, marks } = address
  const own = { term: term.id, component, level, pane, marks }
  const go = (change: Partial<TermsAddress>) =>
    void navigate(termsAddress.to({ ...own, ...change }), { preventScrollReset: true })
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          name="term"
          label="Term"
          density="compact"
          className="max-w-full"
          options={terms.map((one) => ({ value: one.id, label: `${termLabel(one)} · ${one.state}` }))}
          value={term.id}
          onChange={({ target }) => go({ term: target.value, marks: null })}
        />
        {can('terms') && (
          <TermActions
            term={term}
            unmarked={unmarkedIn(summary.data ?? [])}
            onEditDates={() => form.open(termsAddress.to({ ...own, open: 'dates' }))}
            onDeleted={() => go({ term: null, marks: null })}
          />
        )}
        {can('enrolments') && (
          <SmallButton icon={History} onClick={() => form.open(termsAddress.to({ ...own, open: 'changes' }))}>
            Recent changes
          </SmallButton>
        )}
        <p className="py-2 text-sm text-muted">{rangeOf({ first: term.startsOn, last: term.endsOn })}</p>
      </div>
      <LoadedPart query={summary} what="the sections" lines={5} className="h-11">
        {(cells) => {
          const cell = chosenCell(cells, address)
          return (
            cell && (
              <CellScreen
                term={term}
                cell={cell}
                cells={cells}
                address={address}
                form={form}
                renderLists={renderLists}
                go={go}
              />
            )
          )
        }}
      </LoadedPart>
      <RecentChangesModal
        isOpen={address.open === 'changes' && can('enrolments')}
        term={term}
        onClose={() => form.close(termsAddress.to(own))}
      />
      <TermDatesModal
        term={address.open === 'dates' && can('terms') ? term : null}
        onClose={() => form.close(termsAddress.to(own))}
      />
    </>
  )
}

interface CellScreenProps extends Pick<TermScreenProps, 'term' | 'address' | 'form' | 'renderLists'> {
  cell: Cell
  cells: readonly Cell[]
  go: (change: Partial<TermsAddress>) => void
}

/** One component and level of a term. */
function CellScreen({ term, cell, cells, address, form, renderLists, go }: CellScreenProps) {
  const { can } = useAccount()
  const { levelName } = useLevelNames()
  const { component } = cell
  const level = cell.level === 1 ? '1' : '2'
  const open = paneNames.filter((name) => can(panes[name].needs))
  const pane = open.find((name) => name === address.pane) ?? 'sections'
  const { Pane } = panes[pane]
  const mayPlace = can('enrolments') && term.state !== 'closed' && unplacedIn(cell) > 0
  return (
    <>
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <ChoiceButtons
          legend="NSTP Component"
          choices={nstpComponents
            .filter((name) => cells.some((one) => one.component === name))
            .map((value) => ({ value, label: value }))}
          selected={component}
          onSelect={(chosen) => go({ component: chosen, level, marks: null })}
        />
        <ChoiceButtons
          legend="Level"
          choices={levelTexts.map((value) => ({
            value,
            label: levelName(component, value === '1' ? 1 : 2),
          }))}
          selected={level}
          onSelect={(chosen) => go({ component, level: chosen, marks: null })}
        />
        {open.length > 1 && (
          <ChoiceButtons
            legend="Show"
            choices={open.map((value) => ({ value, label: panes[value].label }))}
            selected={pane}
            onSelect={(chosen) => go({ component, level, pane: chosen })}
          />
        )}
      </div>
      <Steps
        cell={cell}
        placeTo={mayPlace ? termsAddress.to({ term: term.id, component, level, open: 'place' }) : null}
        marksTo={termsAddress.to({ term: term.id, component, level, pane: 'marks' })}
        listsTo={
          can(panes.lists.needs) ? termsAddress.to({ term: term.id, component, level, pane: 'lists' }) : null
        }
      />
      {term.state === 'closed' && (
        <p className="text-sm text-muted">This term is closed: its sections and students stay as they are.</p>
      )}
      <Pane
        term={term}
        cell={cell}
        address={{ ...address, term: term.id, component, level }}
        form={form}
        renderLists={renderLists}
      />
    </>
  )
}

interface StepsProps {
  cell: Cell
  placeTo: string | null
  marksTo: string
  listsTo: string | null
}

/** What is to be done in a term, in order. */
function Steps({ cell, placeTo, marksTo, listsTo }: StepsProps) {
  const { sections, placed, withoutSection, official, marked } = cell
  const enrolled = placed + withoutSection
  const all = placed + unplacedIn(cell)
  const steps = [
    { title: 'Sections', figure: figureText(sections), isDone: sections > 0, to: null },
    {
      title: 'Placed',
      figure: `${figureText(placed)} of ${figureText(all)}`,
      isDone: all > 0 && placed === all,
      to: placeTo,
    },
    {
      title: 'Official',
      figure: figureText(official),
      isDone: enrolled > 0 && official === enrolled,
      to: listsTo,
    },
  ]
  if (marked !== undefined) {
    const isDone = enrolled > 0 && marked === enrolled
    steps.push({ title: 'Marks', figure: figureText(marked), isDone, to: enrolled > 0 ? marksTo : null })
  }
  return (
    <ol aria-label="Steps of the term" className="flex flex-wrap gap-2 text-sm">
      {steps.map(({ title, figure, isDone, to }, index) => {
        const text = (
          <>
            <span className="text-muted">{index + 1}</span> {title}{' '}
            <strong className="tabular-nums">{figure}</strong>
            {isDone && <CircleCheck aria-label="done" className="size-4 text-success" />}
          </>
        )
        const className = 'flex min-h-9 items-center gap-1.5 rounded-box border bg-card px-3 max-md:min-h-11'
        return (
          <li key={title}>
            {to === null ? (
              <span className={className}>{text}</span>
            ) : (
              <Link to={to} preventScrollReset className={`${className} hover:bg-soft`}>
                {text}
              </Link>
            )}
          </li>
        )
      })}
    </ol>
  )
}

interface TermActionsProps {
  term: Term
  unmarked: number
  onEditDates: () => void
  onDeleted: () => void
}

function TermActions({ term, unmarked, onEditDates, onDeleted }: TermActionsProps) {
  const [asked, setAsked] = useState<'close' | 'delete' | null>(null)
  const label = termLabel(term)
  const seen = { 'if-match': `"${term.version}"` }
  const change = useAction({
    topics: ['terms'],
    mutationFn: async (state: TermState) => {
      const { id, startsOn, endsOn } = term
      await callApi(
        api.terms[':id'].$patch({ param: { id }, header: seen, json: { startsOn, endsOn, state } }),
      )
    },
    onSuccess(_, state) {
      setAsked(null)
      showToast({ type: 'success', message: `${label} is ${state}` })
    },
    onError(error) {
      if (asked === null) showToast({ type: 'error', message: sentenceOf(error) })
    },
  })
  const deletion = useAction({
    topics: ['terms'],
    mutationFn: () => callApi(api.terms[':id'].$delete({ param: { id: term.id }, header: seen })),
    onSuccess() {
      setAsked(null)
      showToast({ type: 'success', message: `${label} deleted` })
      onDeleted()
    },
  })
  const acting = asked === 'delete' ? deletion : change
  const entries: MenuEntry[] = [
    { label: 'Edit dates', icon: CalendarCog, onSelect: onEditDates },
    term.state === 'open'
      ? { label: 'Close', icon: CalendarX, onSelect: () => setAsked('close') }
      : {
          label: term.state === 'closed' ? 'Open again' : 'Open',
          icon: CalendarCheck,
          onSelect: () => change.run('open'),
        },
    { label: 'Delete', icon: Trash2, danger: true, onSelect: () => setAsked('delete') },
  ]
  return (
    <>
      <Menu
        align="start"
        trigger={
          <SmallButton aria-label={`Actions for ${label}`}>
            Actions
            <ChevronDown className="size-4" />
          </SmallButton>
        }
        entries={entries}
      />
      <QuestionModal
        title={asked === 'delete' ? 'Delete this term?' : 'Close this term?'}
        thing={asked}
        action={acting}
        isDangerous={asked === 'delete'}
        words={(question) =>
          question === 'delete'
            ? { confirm: 'Delete', busy: 'Deleting…' }
            : { confirm: 'Close term', busy: 'Closing…' }
        }
        onConfirm={(question) => (question === 'delete' ? deletion.run() : change.run('closed'))}
        onClose={() => setAsked(null)}
      >
        {(question) => (
          <div className="grid gap-4">
            <p>
              {question === 'delete'
                ? `${label} and its sections are deleted. This is possible only while nobody is in it.`
                : `The sections and students of ${label} then stay as they are. You can open it again.`}
            </p>
            {question === 'close' && unmarked > 0 && (
              <p>
                {countOf(unmarked, 'student')} {unmarked === 1 ? 'has' : 'have'} no mark. Later marks need a
                reason.
              </p>
            )}
          </div>
        )}
      </QuestionModal>
    </>
  )
}
