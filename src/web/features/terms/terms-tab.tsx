import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CalendarRange, History, Plus } from 'lucide-react'
import type { ComponentType } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Permission } from '#shared/people/permissions.ts'
import { termLabel } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Hint } from '#web/components/hint.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Loaded, LoadedPart, TabFrame } from '#web/components/tab-frame.tsx'
import { useAccount } from '#web/lib/account.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { termsQuery } from '#web/lib/terms.ts'
import {
  chosenCell,
  type PaneProps,
  paneNames,
  summaryQuery,
  type TermPane,
  type TermsAddress,
  termsAddress,
  unmarkedIn,
} from './data.ts'
import { MarksPane } from './marks-pane.tsx'
import { RecentChanges } from './recent-changes.tsx'
import { SectionsPane } from './sections-pane.tsx'
import { StudentsPane } from './students-pane.tsx'
import { TermActions } from './term-actions.tsx'
import { TermBar } from './term-bar.tsx'
import { NewTermForm, TermDatesForm } from './term-form.tsx'

const panes: Record<TermPane, { needs: Permission; Pane: ComponentType<PaneProps> }> = {
  sections: { needs: 'terms.read', Pane: SectionsPane },
  students: { needs: 'terms.read', Pane: StudentsPane },
  // The lists that the office receives are of the whole term. Another feature renders them.
  lists: { needs: 'enrolments', Pane: ({ term, renderLists }) => renderLists(term) },
  attendance: {
    needs: 'enrolments',
    Pane: ({ term, cell, renderAttendance }) => renderAttendance(term, cell),
  },
  marks: { needs: 'marks.read', Pane: MarksPane },
}

type OtherFeatures = Pick<PaneProps, 'renderLists' | 'renderOpenLists' | 'renderAttendance'>

export function TermsTab(others: OtherFeatures) {
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
      <div className="flex flex-col gap-2">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-xl font-bold tracking-tight sm:text-2xl">Terms & Sections</h1>
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
                {...others}
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
        <Modal
          open={address.open === 'new-term' && can('terms')}
          onClose={() => form.close(list)}
          size="sm"
          title="Open a term"
        >
          <NewTermForm
            terms={terms ?? []}
            onAdded={(id) =>
              void navigate(termsAddress.to({ term: id }), { replace: true, preventScrollReset: true })
            }
            onClose={() => form.close(list)}
          />
        </Modal>
      </div>
    </TabFrame>
  )
}

interface TermScreenProps extends OtherFeatures {
  term: Term
  terms: readonly Term[]
  address: TermsAddress
  form: ReturnType<typeof useFormAddress>
}

function TermScreen({ term, terms, address, form, ...others }: TermScreenProps) {
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
  const close = () => form.close(termsAddress.to(own))
  const go = (change: Partial<TermsAddress>) =>
    void navigate(termsAddress.to({ ...own, ...change }), { preventScrollReset: true })
  const actions = (
    <>
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
    </>
  )
  const open = paneNames.filter((name) => can(panes[name].needs))
  const cells = summary.data ?? []
  const cell = chosenCell(cells, address)
  const openPane = open.find((name) => name === pane) ?? 'sections'
  const { Pane } = panes[openPane]
  return (
    <>
      <TermBar
        term={term}
        terms={terms}
        cell={cell}
        cells={cells}
        panes={open}
        pane={openPane}
        actions={actions}
        go={go}
      />
      {term.state === 'closed' && (
        <Hint>This term is closed: its sections and students stay as they are.</Hint>
      )}
      {openPane !== 'lists' && others.renderOpenLists(term)}
      <LoadedPart query={summary} what="the sections" lines={5} className="h-11">
        {() =>
          cell && (
            <Pane
              term={term}
              cell={cell}
              address={{
                ...address,
                term: term.id,
                component: cell.component,
                level: `${cell.level}`,
              }}
              form={form}
              {...others}
            />
          )
        }
      </LoadedPart>
      <Modal open={address.open === 'changes' && can('enrolments')} onClose={close} title="Recent changes">
        <RecentChanges term={term} />
      </Modal>
      <Modal
        open={address.open === 'dates' && can('terms')}
        onClose={close}
        size="sm"
        title={termLabel(term)}
      >
        <TermDatesForm term={term} onClose={close} />
      </Modal>
    </>
  )
}
