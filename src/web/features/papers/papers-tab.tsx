import { useIsMutating, useQuery } from '@tanstack/react-query'
import { FilePlus, FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Paper } from '#shared/papers/papers-response.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { type Column, ListTable } from '#web/components/data-table.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Loaded, LoadedPart, TabFrame } from '#web/components/tab-frame.tsx'
import { useToday } from '#web/lib/date-texts.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { termsQuery } from '#web/lib/terms.ts'
import { isOverdue, layoutsQuery, papersAddress, papersQuery, stateNames, stateTones } from './data.ts'
import { Layouts } from './layouts.tsx'
import type { RenderCredit } from './paper-check.tsx'
import { MakePaperForm } from './paper-form.tsx'
import { PaperPage } from './paper-page.tsx'

interface PapersTabProps {
  certificates: ReactNode
  /** The files with serial numbers that came back for a paper. */
  renderSerials: (paper: Paper) => ReactNode
  renderCredit: RenderCredit
}

export function PapersTab({ certificates, ...slots }: PapersTabProps) {
  const navigate = useNavigate()
  const address = papersAddress.read(useLocation().search)
  return address.paper === null ? (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <h1 className="text-2xl font-bold tracking-tight">Papers & Serials</h1>
        <ChoiceButtons
          legend="Show"
          isLegendHidden
          choices={[
            { value: 'papers', label: 'Papers' },
            { value: 'certificates', label: 'Certificates' },
          ]}
          selected={address.pane}
          onSelect={(pane) => void navigate(papersAddress.to({ pane }), { preventScrollReset: true })}
        />
      </div>
      {address.pane === 'certificates' ? certificates : <PapersPane />}
    </div>
  ) : (
    <PaperPage key={address.paper} id={address.paper} address={address} {...slots} />
  )
}

function PapersPane() {
  const query = useQuery(papersQuery)
  const navigate = useNavigate()
  const { open } = papersAddress.read(useLocation().search)
  const form = useFormAddress(open !== null)
  const close = () => form.close(papersAddress.to({}))
  const layouts = useQuery({ ...layoutsQuery, enabled: open === 'make' })
  const terms = useQuery({ ...termsQuery, enabled: open === 'make' })
  const isBusy = useIsMutating() > 0
  const buttons = (
    <>
      <Button size="sm" icon={FilePlus} onClick={() => form.open(papersAddress.to({ open: 'make' }))}>
        Make a paper
      </Button>
      <SmallButton onClick={() => form.open(papersAddress.to({ open: 'layouts' }))}>Layouts</SmallButton>
    </>
  )
  return (
    <TabFrame query={query} failure="Failed to load the papers">
      <Loaded query={query} what="the papers" lines={4} className="h-14">
        {(papers) =>
          papers.length === 0 ? (
            <EmptyState
              icon={FileText}
              title="No papers yet."
              action={<div className="flex flex-wrap justify-center gap-2">{buttons}</div>}
            >
              A paper is a list you send. It is checked first; what was sent never changes.
            </EmptyState>
          ) : (
            <div className="flex flex-col gap-4">
              <div className="flex flex-wrap gap-2">{buttons}</div>
              <PapersTable papers={papers} />
            </div>
          )
        }
      </Loaded>
      <Modal open={open === 'make'} onClose={close} size="sm" title="Make a paper">
        <LoadedPart query={layouts} what="the layouts" lines={4} className="h-14">
          {(all) => (
            <LoadedPart query={terms} what="the terms" lines={4} className="h-14">
              {(listed) => (
                <MakePaperForm
                  layouts={all}
                  terms={listed}
                  onMade={({ id }) => void navigate(papersAddress.to({ paper: id }), { replace: true })}
                  onClose={close}
                />
              )}
            </LoadedPart>
          )}
        </LoadedPart>
      </Modal>
      {/* Whatever is answered to an upload is shown here. */}
      <Modal open={open === 'layouts'} onClose={() => isBusy || close()} title="Layouts">
        <Layouts />
      </Modal>
    </TabFrame>
  )
}

function PapersTable({ papers }: { papers: readonly Paper[] }) {
  const today = useToday()
  const columnOf = (head: string, value: (paper: Paper) => ReactNode): Column<Paper> => ({
    head,
    className: 'wrap-anywhere tabular-nums',
    value: (paper) => value(paper) || '–',
  })
  return (
    <ListTable
      caption="Papers"
      items={papers}
      columns={[
        {
          head: 'Paper',
          isRowHead: true,
          className: 'wrap-anywhere md:min-w-56',
          cell: ({ id, title, term, academicYear }) => (
            <>
              <Link
                to={papersAddress.to({ paper: id })}
                className="inline-block py-1 font-semibold underline-offset-4 hover:underline max-md:py-2"
              >
                {title}
              </Link>
              <span className="block text-sm font-normal text-muted">{term?.label ?? academicYear}</span>
            </>
          ),
        },
        columnOf('Components', ({ components }) => components.join(', ')),
        columnOf('Rows', ({ state, rows }) => state !== 'draft' && figureText(rows)),
        columnOf('State', ({ state, answeredOn }) => (
          <>
            <Badge tone={stateTones[state]}>{stateNames[state]}</Badge>
            {answeredOn && <span className="text-sm text-muted md:block"> {dateOf(answeredOn)}</span>}
          </>
        )),
        columnOf(
          'Due',
          (paper) =>
            paper.dueOn &&
            (isOverdue(paper, today) ? (
              <span className="font-semibold text-danger">{dateOf(paper.dueOn)}, overdue</span>
            ) : (
              dateOf(paper.dueOn)
            )),
        ),
        columnOf('Sent', ({ sentOn }) => sentOn && dateOf(sentOn)),
        columnOf('Reference', ({ agencyReference }) => agencyReference),
        columnOf(
          'Serials',
          ({ state, serials, graduates }) =>
            state !== 'draft' && serials > 0 && `${figureText(serials)} of ${figureText(graduates)}`,
        ),
      ]}
    />
  )
}
