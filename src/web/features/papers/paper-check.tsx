import { keepPreviousData, useIsMutating, useQuery } from '@tanstack/react-query'
import { CircleCheck, RefreshCw, Snowflake } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Paper, PaperCheck } from '#shared/papers/papers-response.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { DataTable } from '#web/components/data-table.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Hint } from '#web/components/hint.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { callApi, ifMatch, slowApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useFocusBack } from '#web/lib/focus.ts'
import { sendOwn, useLiveTopics } from '#web/lib/live.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { isBehind, useAction } from '#web/lib/query.ts'
import { AnswerForm, answerTitle, type PaperQuestion } from './paper-answer.tsx'
import { headOfSheet, PaperCell } from './paper-cell.tsx'
import { PaperCounts } from './paper-counts.tsx'
import { type Credited, FindingGroup } from './paper-findings.tsx'
import type { CorrectedVersions } from './typed-value.tsx'

const groups = [
  { severity: 'stop', title: 'Must be fixed' },
  { severity: 'ask', title: 'Please look' },
  { severity: 'note', title: 'Notes' },
] as const

/**
 * The check of a draft. It takes seconds for a large school, so it is repeated after what is done here, or when the user
 * asks for it, not with every change of a record.
 */
function useCheck({ id, version }: Paper) {
  const query = useQuery({
    queryKey: ['papers', 'check', id, version],
    queryFn: ({ signal }) =>
      callApi(slowApi.papers[':id'].check.$post({ param: { id } }, { init: { signal } })),
    enabled: (one) => one.state.data === undefined || isBehind(one),
    placeholderData: keepPreviousData,
  })
  // An edited paper is checked again.
  const checked = `${id} ${version}`
  const [changed, setChanged] = useState<string | null>(null)
  useLiveTopics(['students', 'terms', 'settings', 'papers'], (_topic, isOwn) => {
    if (!isOwn) setChanged(checked)
  })
  // Back from a record, what was known is shown in its place until it is checked again.
  const comeBack = useEffectEvent(() => query.data !== undefined && !query.isFetching && void query.refetch())
  useEffect(() => {
    comeBack()
  }, [])
  // The Undo of a correction outlives its screen.
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return {
    query,
    hasChanged: changed === checked,
    noteChange: () => setChanged(checked),
    checkAgain() {
      if (!isShown.current) return
      setChanged(null)
      void query.refetch()
    },
  }
}

/** Renders the form in which a credit is entered. A null student closes it. */
export type RenderCredit = (
  student: Credited | null,
  onClose: () => void,
  sendWithin: (send: () => Promise<unknown>) => Promise<unknown>,
) => ReactNode

export function PaperCheckPanel({ paper, renderCredit }: { paper: Paper; renderCredit: RenderCredit }) {
  const [credited, setCredited] = useState<Credited | null>(null)
  const [question, setQuestion] = useState<PaperQuestion | null>(null)
  const [checkToFreeze, setCheckToFreeze] = useState<PaperCheck | null>(null)
  const check = useCheck(paper)
  const [corrected] = useState<CorrectedVersions>(() => new Map())
  const freezing = useAction({
    topics: ['papers'],
    mutationFn: (basis: string) =>
      sendOwn('papers', () =>
        callApi(
          slowApi.papers[':id'].freeze.$post({
            param: { id: paper.id },
            header: ifMatch(paper.version),
            json: { basis },
          }),
        ),
      ),
    onError: check.checkAgain,
    onSuccess({ title, rows }) {
      showToast('success', `${title} is frozen with ${countOf(rows, 'row')}`)
      // What comes next is at the top; the button stood below a list that is longer by now.
      window.scrollTo({ top: 0 })
    },
  })
  const { data, isFetching } = check.query
  // The server refuses what has changed since the check, as by an own correction until it is checked again.
  const isChanging = useIsMutating() > 0 || isFetching
  const place = useRef<HTMLHeadingElement>(null)
  // A finding that is fixed goes with its buttons.
  useFocusBack(data !== undefined && isChanging, place)
  const canFreeze = data !== undefined && !isChanging && data.stops === 0 && data.ready > 0
  return (
    <section aria-labelledby="check-title" aria-busy={isFetching} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 ref={place} id="check-title" tabIndex={-1} className="text-lg font-semibold outline-hidden">
          Check
        </h2>
        <SmallButton
          icon={RefreshCw}
          aria-disabled={isFetching}
          onClick={() => !isFetching && check.checkAgain()}
        >
          {isFetching ? 'Checking…' : 'Check again'}
        </SmallButton>
        <p role="status" className="text-sm text-warning empty:hidden">
          {check.hasChanged && 'Records, answers or settings may have changed since this check.'}
        </p>
      </div>
      <LoadedPart query={check.query} what="the check" lines={6} className="h-11">
        {(data) => (
          <>
            <Outcome check={data} />
            {data.ready > 0 && <PaperCounts paper={paper} counts={data.counts} unlisted={data.unlisted} />}
            {groups.map(({ severity, title }) => (
              <FindingGroup
                key={severity}
                title={title}
                paper={paper}
                check={check}
                corrected={corrected}
                onCredit={setCredited}
                onAsk={setQuestion}
                findings={data.findings.filter((finding) => finding.severity === severity)}
              />
            ))}
            {data.leftOut.length > 0 && <LeftOut leftOut={data.leftOut} onAsk={setQuestion} />}
            <FirstRows preview={data.preview} />
          </>
        )}
      </LoadedPart>
      <ModalOf thing={question} onClose={() => setQuestion(null)} size="sm" title={answerTitle}>
        {(question) => (
          <AnswerForm
            paper={paper}
            question={question}
            onAnswered={check.checkAgain}
            onClose={() => setQuestion(null)}
          />
        )}
      </ModalOf>
      {renderCredit(
        credited,
        () => setCredited(null),
        async (send) => {
          await sendOwn('terms', send)
          check.checkAgain()
        },
      )}
      {freezing.error && <ErrorBanner message={sentenceOf(freezing.error)} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="sm"
          icon={Snowflake}
          aria-disabled={!canFreeze}
          onClick={() => {
            if (!canFreeze) return
            if (openOf(data) > 0) setCheckToFreeze(data)
            else freezing.run(data.basis)
          }}
        >
          {freezing.isPending ? 'Freezing…' : 'Freeze'}
        </Button>
        <Hint>
          {data && data.stops > 0
            ? `${countOf(data.stops, 'thing')} must be fixed first.`
            : 'Later corrections don’t change this paper.'}
        </Hint>
      </div>
      <QuestionModal
        title="Freeze this paper?"
        thing={checkToFreeze}
        isBusy={freezing.isPending}
        isDangerous={false}
        words={() => ({ confirm: 'Freeze', busy: 'Freezing…' })}
        onConfirm={({ basis }) => {
          setCheckToFreeze(null)
          freezing.run(basis)
        }}
        onClose={() => setCheckToFreeze(null)}
      >
        {(frozen) => (
          <p>
            {countOf(openOf(frozen), 'thing')} to look at {openOf(frozen) === 1 ? 'has' : 'have'} no answer
            yet. The paper keeps {countOf(frozen.ready, 'student')} as their records are now.
          </p>
        )}
      </QuestionModal>
    </section>
  )
}

/** How many things to look at have no answer. */
const openOf = ({ findings }: PaperCheck) =>
  findings.reduce((sum, finding) => sum + (finding.severity === 'note' ? 0 : finding.open), 0)

function Outcome({ check }: { check: PaperCheck }) {
  const { ready } = check
  const open = openOf(check)
  return (
    <p role="status" className="flex items-center gap-2">
      {open === 0 && ready > 0 ? (
        <>
          <CircleCheck aria-hidden="true" className="size-5 text-success" />
          Nothing to fix. {countOf(ready, 'student')} {ready === 1 ? 'is' : 'are'} ready.
        </>
      ) : (
        `${countOf(ready, 'student')}, ${countOf(open, 'thing')} to look at.`
      )}
    </p>
  )
}

function LeftOut({
  leftOut,
  onAsk,
}: Pick<PaperCheck, 'leftOut'> & { onAsk: (question: PaperQuestion) => void }) {
  return (
    <details className="rounded-box border bg-card px-4 py-2 text-sm">
      <summary className="min-h-7 cursor-pointer">
        Left out by you · <strong>{figureText(leftOut.length)}</strong>
      </summary>
      <ul className="divide-y">
        {leftOut.map(({ studentId, name, code, reason }) => (
          <li key={`${studentId} ${code}`} className="flex flex-wrap items-center gap-3 py-2">
            <span className="grow wrap-anywhere">
              {name} <span className="text-muted">{reason}</span>
            </span>
            <SmallButton
              aria-label={`List ${name} again`}
              onClick={() => onAsk({ answer: null, code, people: [{ subject: studentId, name }] })}
            >
              List again
            </SmallButton>
          </li>
        ))}
      </ul>
    </details>
  )
}

function FirstRows({ preview: [heads = [], ...rows] }: Pick<PaperCheck, 'preview'>) {
  if (rows.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="min-h-9 cursor-pointer font-semibold">
        The first {figureText(rows.length)} rows
      </summary>
      <DataTable caption="The first rows" heads={heads.map(headOfSheet)}>
        {rows.map((row) => (
          <tr key={row.join('\n')}>
            {row.map((text, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is of its column
              <PaperCell key={column} text={text} />
            ))}
          </tr>
        ))}
      </DataTable>
    </details>
  )
}
