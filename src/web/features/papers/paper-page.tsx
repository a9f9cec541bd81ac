import { useQuery } from '@tanstack/react-query'
import {
  ArrowLeft,
  CircleCheck,
  ClipboardCheck,
  FileSpreadsheet,
  LockOpen,
  Pencil,
  Printer,
  Send,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { paperLists } from '#shared/papers/papers.ts'
import type { LayoutItem, Paper } from '#shared/papers/papers-response.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button, SmallButton, SmallLink } from '#web/components/button.tsx'
import { Part } from '#web/components/card.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { ConfirmAction } from '#web/components/confirm-action.tsx'
import { Cell, DataTable } from '#web/components/data-table.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Hint } from '#web/components/hint.tsx'
import { Modal, ModalOf } from '#web/components/modal.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { saveExport } from '#web/components/save-export.ts'
import { Loaded, LoadedPart, TabFrame } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, ifMatch, slowApi } from '#web/lib/api.ts'
import { useInstantTexts, useToday } from '#web/lib/date-texts.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { usePage } from '#web/lib/list.ts'
import { sendOwn } from '#web/lib/live.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { optionsOf } from '#web/lib/options.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import {
  isOverdue,
  layoutsQuery,
  type PapersAddress,
  papersAddress,
  readPaper,
  stateNames,
  stateTones,
} from './data.ts'
import { ConfirmLayout } from './layouts.tsx'
import { Letter } from './letter.tsx'
import { headOfSheet, PaperCell } from './paper-cell.tsx'
import { PaperCheckPanel, type RenderCredit } from './paper-check.tsx'
import { PaperCounts } from './paper-counts.tsx'
import { EditPaperForm } from './paper-form.tsx'
import { PaperStateForm } from './paper-state-form.tsx'

interface PaperPageProps {
  id: string
  address: PapersAddress
  renderSerials: (paper: Paper) => ReactNode
  renderCredit: RenderCredit
}

export function PaperPage({ id, ...props }: PaperPageProps) {
  const query = useQuery({
    queryKey: ['papers', 'paper', id],
    queryFn: ({ signal }) => readPaper(id, signal),
  })
  const layouts = useQuery(layoutsQuery)
  return (
    <TabFrame query={query} failure="Failed to load the paper">
      <div className="flex flex-col gap-5">
        <SmallLink to={papersAddress.to({})} icon={ArrowLeft} className="w-fit">
          All papers
        </SmallLink>
        <Loaded query={query} what="the paper" lines={4} className="h-14">
          {(paper) =>
            paper === null ? (
              <EmptyState title="This paper could not be found." />
            ) : (
              <OpenPaper
                paper={paper}
                layout={layouts.data?.find(({ code }) => code === paper.layout)}
                {...props}
              />
            )
          }
        </Loaded>
      </div>
    </TabFrame>
  )
}

interface OpenPaperProps extends Omit<PaperPageProps, 'id'> {
  paper: Paper
  layout: LayoutItem | undefined
}

function OpenPaper({ paper, layout, address, renderSerials, renderCredit }: OpenPaperProps) {
  const { open } = address
  const form = useFormAddress(open !== null)
  const { id, state } = paper
  const close = () => form.close(papersAddress.to({ paper: id }))
  const show = (name: NonNullable<PapersAddress['open']>) =>
    form.open(papersAddress.to({ paper: id, open: name }))
  // Before the paper is frozen, its purpose says whether it gets serial numbers.
  const hasSerials = state === 'draft' ? layout?.purpose === 'graduates' : paper.graduates > 0
  return (
    <>
      <PaperHead paper={paper} />
      <Steps paper={paper} hasSerials={hasSerials} />
      {layout && !layout.isConfirmed && <Unconfirmed layout={layout} />}
      {state === 'draft' ? (
        <>
          <DraftActions paper={paper} onEdit={() => show('edit')} />
          <PaperCheckPanel paper={paper} renderCredit={renderCredit} />
        </>
      ) : (
        <>
          <Frozen paper={paper} />
          <FrozenActions
            paper={paper}
            layout={layout}
            onEdit={() => show('edit')}
            onSend={() => show('send')}
            onAnswer={() => show('answer')}
          />
          {hasSerials && state !== 'frozen' && <Part title="Serial numbers">{renderSerials(paper)}</Part>}
          <Rows paper={paper} address={address} />
        </>
      )}
      <Modal open={open === 'edit'} onClose={close} size="sm" title="Edit paper">
        <EditPaperForm paper={paper} layout={layout} onClose={close} />
      </Modal>
      <ModalOf
        thing={open === 'send' || open === 'answer' ? open : null}
        onClose={close}
        size="sm"
        title={(form) => (form === 'send' ? 'Mark as sent' : 'Enter the answer')}
      >
        {(form) => <PaperStateForm opened={form} paper={paper} onClose={close} />}
      </ModalOf>
    </>
  )
}

function PaperHead({ paper }: { paper: Paper }) {
  const today = useToday()
  const { title, state, dueOn, sentOn, sentHow, answeredOn, agencyReference, follows } = paper
  const facts = [paper.term?.label ?? paper.academicYear, paper.components.join(', ')]
  if (dueOn !== null) facts.push(`Due ${dateOf(dueOn)}${isOverdue(paper, today) ? ', overdue' : ''}`)
  if (sentOn !== null) facts.push(`Sent ${dateOf(sentOn)}${sentHow && `, ${sentHow}`}`)
  if (answeredOn !== null) facts.push(`${stateNames[state]} ${dateOf(answeredOn)}`)
  if (agencyReference) facts.push(`Reference ${agencyReference}`)
  return (
    <div>
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-2xl font-bold tracking-tight wrap-anywhere">{title}</h1>
        <Badge tone={stateTones[state]}>{stateNames[state]}</Badge>
      </div>
      <Hint className="mt-1 wrap-anywhere">{facts.join(' · ')}</Hint>
      {follows && (
        <p className="text-sm">
          Corrects{' '}
          <Link
            className="font-medium underline underline-offset-4"
            to={papersAddress.to({ paper: follows.id })}
          >
            {follows.title}
          </Link>
        </p>
      )}
    </div>
  )
}

/** Since when it doesn't change, and why it came back. */
function Frozen({ paper }: { paper: Paper }) {
  const { state, rows, frozenAt, frozenBy, erased, note, ownWorkbook } = paper
  const { momentOf } = useInstantTexts()
  const gone = erased === 1 ? '1 person was' : `${figureText(erased)} people were`
  return (
    <>
      <p className="text-sm">
        {countOf(rows, 'row')}, frozen {frozenAt && momentOf(frozenAt)}
        {frozenBy && ` by ${frozenBy}`}. Later corrections don’t change this paper.
        {ownWorkbook !== null && ` The workbook is your own: ${ownWorkbook}.`}
        {erased > 0 && ` ${gone} erased after this paper was frozen.`}
      </p>
      {note && state === 'returned' && (
        <p className="rounded-box border bg-warning-soft px-4 py-2 wrap-anywhere">Returned: {note}</p>
      )}
    </>
  )
}

/** The steps of the paper as a whole, in order. */
function Steps({ paper, hasSerials }: { paper: Paper; hasSerials: boolean }) {
  const { id, academicYear, state, graduates, serials } = paper
  const steps = [
    { title: 'Check', isDone: state !== 'draft' },
    { title: 'Freeze', isDone: state !== 'draft' },
    { title: 'Send', isDone: !['draft', 'frozen'].includes(state) },
    { title: 'Answer', isDone: state === 'accepted' || state === 'returned' },
    ...(hasSerials
      ? [
          { title: 'Serials', isDone: graduates > 0 && serials === graduates },
          { title: 'Certificates', isDone: false },
        ]
      : []),
  ]
  const current = steps.findIndex(({ isDone }) => !isDone)
  return (
    <ol aria-label="Steps of the paper" className="flex flex-wrap gap-2 text-sm">
      {steps.map(({ title, isDone }, index) => (
        <li
          key={title}
          aria-current={index === current ? 'step' : undefined}
          className={`flex min-h-9 items-center gap-1.5 rounded-box border bg-card px-3 ${index === current ? 'border-primary font-semibold' : ''}`}
        >
          <span className="text-muted">{index + 1}</span>
          {title === 'Certificates' ? (
            <Link
              to={tabPath('papers', {
                pane: 'certificates',
                year: academicYear,
                ...(graduates > 0 && { inPaper: id }),
              })}
              className="underline underline-offset-4"
            >
              {title}
            </Link>
          ) : (
            title
          )}
          {isDone && <CircleCheck aria-label="done" className="size-4 text-success" />}
        </li>
      ))}
    </ol>
  )
}

const notConfirmed = 'Not confirmed by your office yet: compare the workbook with the form of your region.'

function Unconfirmed({ layout }: { layout: LayoutItem }) {
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-box border bg-warning-soft px-4 py-2 text-sm">
      <p className="grow">{notConfirmed}</p>
      <ConfirmLayout layout={layout} />
    </div>
  )
}

function DraftActions({ paper, onEdit }: { paper: Paper; onEdit: () => void }) {
  const [deleting, setDeleting] = useState<Paper | null>(null)
  const navigate = useNavigate()
  return (
    <div className="flex flex-wrap gap-2">
      <SmallButton icon={Pencil} onClick={onEdit}>
        Edit
      </SmallButton>
      <SmallButton icon={Trash2} onClick={() => setDeleting(paper)}>
        Delete
      </SmallButton>
      <ConfirmAction
        title="Delete this paper?"
        thing={deleting}
        topics={['papers']}
        send={(draft) =>
          callApi(api.papers[':id'].$delete({ param: { id: draft.id }, header: ifMatch(draft.version) }))
        }
        done={`${paper.title} deleted`}
        onDone={() => void navigate(papersAddress.to({}), { replace: true })}
        onClose={() => setDeleting(null)}
      >
        <p>The draft and the answers of its check are deleted. Records stay as they are.</p>
      </ConfirmAction>
    </div>
  )
}

interface FrozenActionsProps extends Pick<OpenPaperProps, 'paper' | 'layout'> {
  onEdit: () => void
  onSend: () => void
  onAnswer: () => void
}

function FrozenActions({ paper, layout, onEdit, onSend, onAnswer }: FrozenActionsProps) {
  const { can } = useAccount()
  const navigate = useNavigate()
  const [isPrinting, setPrinting] = useState(false)
  const { id, state, title, academicYear } = paper
  const param = { id }
  const download = useActionWithToast({
    topics: ['papers'],
    mutationFn: () =>
      saveExport(slowApi.papers[':id']['file.xlsx'].$get({ param }), `${title} ${academicYear}.xlsx`),
    onDone() {
      if (layout && !layout.isConfirmed) showToast('warning', notConfirmed)
    },
    saysFailure: true,
  })
  const unfreezing = useActionWithToast({
    topics: ['papers'],
    mutationFn: () =>
      sendOwn('papers', () =>
        callApi(api.papers[':id'].unfreeze.$post({ param, header: ifMatch(paper.version) })),
      ),
    done: `${title} is a draft again`,
    saysFailure: true,
  })
  const copying = useActionWithToast({
    topics: ['papers'],
    mutationFn: () => sendOwn('papers', () => callApi(api.papers[':id'].copy.$post({ param }))),
    onDone: (copy) => void navigate(papersAddress.to({ paper: copy.id })),
    saysFailure: true,
  })
  return (
    <div className="flex flex-wrap items-center gap-2">
      {state === 'frozen' && (
        <Button size="sm" icon={Send} onClick={onSend}>
          Mark as sent
        </Button>
      )}
      {state === 'sent' && (
        <Button size="sm" icon={ClipboardCheck} onClick={onAnswer}>
          Enter the answer
        </Button>
      )}
      {state === 'returned' && (
        <Button size="sm" aria-disabled={copying.isPending} onClick={() => copying.run()}>
          Make a corrected paper
        </Button>
      )}
      {can('students.take-out') && (
        <SmallButton icon={FileSpreadsheet} aria-disabled={download.isPending} onClick={() => download.run()}>
          Download workbook
        </SmallButton>
      )}
      <SmallButton icon={Printer} onClick={() => setPrinting(true)}>
        Print letter
      </SmallButton>
      {state === 'frozen' && (
        <SmallButton icon={LockOpen} aria-disabled={unfreezing.isPending} onClick={() => unfreezing.run()}>
          Unfreeze
        </SmallButton>
      )}
      <SmallButton icon={Pencil} onClick={onEdit}>
        Edit
      </SmallButton>
      {isPrinting && <Letter paper={paper} onPrinted={() => setPrinting(false)} />}
    </div>
  )
}

const listNames = { enrolment: 'Enrollment', graduates: 'Graduates', unlisted: 'Only counted' } as const

function Rows({ paper, address }: { paper: Paper; address: PapersAddress }) {
  const navigate = useNavigate()
  const lists = paperLists.filter((name) => name !== 'graduates' || paper.graduates > 0)
  // A list of graduates alone has nobody enrolled.
  const list = address.list ?? (paper.graduates === paper.rows ? 'graduates' : 'enrolment')
  const query = usePage(['papers', 'rows'], api.papers[':id'].rows.$get, {
    param: { id: paper.id },
    query: { list, page: String(address.page) },
  })
  return (
    <Part title="What is in it">
      {paper.counts && <PaperCounts paper={paper} counts={paper.counts} />}
      <ChoiceButtons
        legend="List"
        choices={optionsOf(lists, listNames)}
        selected={list}
        onSelect={(chosen) =>
          void navigate(papersAddress.to({ paper: paper.id, list: chosen }), { preventScrollReset: true })
        }
      />
      <LoadedPart query={query} what="the rows" lines={6} className="h-9">
        {({ heads, items, ...pages }) =>
          pages.total === 0 ? (
            <EmptyState title="Nobody is in this list." />
          ) : (
            <>
              <DataTable
                caption="Rows of the paper"
                busy={query.isPlaceholderData}
                heads={[...heads.map(headOfSheet), 'Serial number that came back']}
              >
                {items.map(({ number, cells, serial }) => (
                  <tr key={number}>
                    {cells.length === 0 ? (
                      <Cell colSpan={heads.length}>Erased after this paper was frozen.</Cell>
                    ) : (
                      cells.map((text, column) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is of its column
                        <PaperCell key={column} text={text} />
                      ))
                    )}
                    <PaperCell text={serial || '–'} />
                  </tr>
                ))}
              </DataTable>
              <Pagination
                {...pages}
                noun="row"
                to={(page) => papersAddress.to({ paper: paper.id, list, page })}
              />
            </>
          )
        }
      </LoadedPart>
    </Part>
  )
}
