import { useQuery } from '@tanstack/react-query'
import { FilePlus, FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Paper } from '#shared/papers/papers-response.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { RowHead, StackedCell, StackedRow, StackedTable } from '#web/components/data-table.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { isOverdue, papersAddress, papersQuery, stateNames, stateTones } from './data.ts'
import { LayoutsModal } from './layouts-modal.tsx'
import type { RenderCredit } from './paper-check.tsx'
import { MakePaperModal } from './paper-form.tsx'
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
  const list = papersAddress.to({})
  const make = (
    <Button size="sm" icon={FilePlus} onClick={() => form.open(papersAddress.to({ open: 'make' }))}>
      Make a paper
    </Button>
  )
  const layouts = (
    <SmallButton onClick={() => form.open(papersAddress.to({ open: 'layouts' }))}>Layouts</SmallButton>
  )
  return (
    <TabFrame query={query} failure="Failed to load the papers">
      <Loaded query={query} what="the papers" lines={4} className="h-14">
        {(papers) =>
          papers.length === 0 ? (
            <EmptyState
              icon={FileText}
              title="No papers yet."
              action={
                <div className="flex flex-wrap justify-center gap-2">
                  {make}
                  {layouts}
                </div>
              }
            >
              A paper is a list you send. It is checked first; what was sent never changes.
            </EmptyState>
          ) : (
            <div className="flex flex-col gap-4">
              <div className="flex flex-wrap gap-2">
                {make}
                {layouts}
              </div>
              <PapersTable papers={papers} />
            </div>
          )
        }
      </Loaded>
      <MakePaperModal
        isOpen={open === 'make'}
        onMade={({ id }) => void navigate(papersAddress.to({ paper: id }), { replace: true })}
        onClose={() => form.close(list)}
      />
      <LayoutsModal isOpen={open === 'layouts'} onClose={() => form.close(list)} />
    </TabFrame>
  )
}

const heads = ['Components', 'Rows', 'State', 'Due', 'Sent', 'Reference', 'Serials'] as const

function PapersTable({ papers }: { papers: readonly Paper[] }) {
  const today = calendarDateOf(new Date(), useProgramTimeZone())
  return (
    <StackedTable caption="Papers" heads={['Paper', ...heads]}>
      {papers.map((paper) => (
        <PaperRow key={paper.id} paper={paper} isOverdue={isOverdue(paper, today)} />
      ))}
    </StackedTable>
  )
}

function PaperRow({ paper, isOverdue }: { paper: Paper; isOverdue: boolean }) {
  const { id, title, academicYear, term, components, state, dueOn, sentOn, answeredOn, agencyReference } =
    paper
  const isDraft = state === 'draft'
  const cells: Record<(typeof heads)[number], ReactNode> = {
    Components: components.join(', '),
    Rows: isDraft ? '–' : figureText(paper.rows),
    State: (
      <>
        <Badge tone={stateTones[state]}>{stateNames[state]}</Badge>
        {answeredOn && <span className="text-sm text-muted md:block"> {dateOf(answeredOn)}</span>}
      </>
    ),
    Due:
      dueOn === null ? (
        '–'
      ) : (
        <span
          className={isOverdue ? 'font-semibold text-danger' : ''}
        >{`${dateOf(dueOn)}${isOverdue ? ', overdue' : ''}`}</span>
      ),
    Sent: sentOn === null ? '–' : dateOf(sentOn),
    Reference: agencyReference || '–',
    Serials:
      isDraft || paper.serials === 0 ? '–' : `${figureText(paper.serials)} of ${figureText(paper.graduates)}`,
  }
  return (
    <StackedRow>
      <RowHead className="wrap-anywhere md:min-w-56">
        <Link
          to={papersAddress.to({ paper: id })}
          className="inline-block py-1 font-semibold underline-offset-4 hover:underline max-md:py-2"
        >
          {title}
        </Link>
        <span className="block text-sm font-normal text-muted">{term?.label ?? academicYear}</span>
      </RowHead>
      {heads.map((head) => (
        <StackedCell key={head} head={head} className="wrap-anywhere">
          <span className="tabular-nums">{cells[head]}</span>
        </StackedCell>
      ))}
    </StackedRow>
  )
}
