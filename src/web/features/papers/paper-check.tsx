import { keepPreviousData, useIsMutating, useQuery } from '@tanstack/react-query'
import { CircleCheck, RefreshCw, Snowflake } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Finding, Paper, PaperCheck } from '#shared/papers/papers-response.ts'
import { fieldDefinition, type StudentField } from '#shared/students/student-fields.ts'
import { Button, SmallButton, SmallLink } from '#web/components/button.tsx'
import { DataTable, HeadCell } from '#web/components/data-table.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { showUndoable } from '#web/components/undo-toast.ts'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { callApi, slowApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useFocusBack } from '#web/lib/focus.ts'
import { expectNone, sendOwn, useLiveTopics } from '#web/lib/live.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { isBehind, useAction } from '#web/lib/query.ts'
import { papersAddress, seenVersion } from './data.ts'
import { AnswerModal, type Asked } from './paper-answer.tsx'
import { PaperCell } from './paper-cell.tsx'
import { type CorrectedVersions, TypedValue } from './typed-value.tsx'

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

type Check = ReturnType<typeof useCheck>

interface Credited {
  id: string
  name: string
}

/** Renders the form in which a credit is entered. A null student closes it. */
export type RenderCredit = (
  student: Credited | null,
  onClose: () => void,
  around: (send: () => Promise<unknown>) => Promise<unknown>,
) => ReactNode

export function PaperCheckPanel({ paper, renderCredit }: { paper: Paper; renderCredit: RenderCredit }) {
  const [credited, setCredited] = useState<Credited | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [freezeAsked, setFreezeAsked] = useState<PaperCheck | null>(null)
  const check = useCheck(paper)
  const [corrected] = useState<CorrectedVersions>(() => new Map())
  const freezing = useAction({
    topics: ['papers'],
    mutationFn: (basis: string) =>
      sendOwn('papers', () =>
        callApi(
          slowApi.papers[':id'].freeze.$post({
            param: { id: paper.id },
            header: seenVersion(paper),
            json: { basis },
          }),
        ),
      ),
    onError: check.checkAgain,
    onSuccess({ title, rows }) {
      showToast({ type: 'success', message: `${title} is frozen with ${countOf(rows, 'row')}` })
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
        {(shown) => (
          <>
            <Outcome check={shown} />
            {groups.map(({ severity, title }) => (
              <Group
                key={severity}
                title={title}
                paper={paper}
                check={check}
                corrected={corrected}
                onCredit={setCredited}
                onAsk={setAsked}
                findings={shown.findings.filter((finding) => finding.severity === severity)}
              />
            ))}
            {shown.leftOut.length > 0 && <LeftOut leftOut={shown.leftOut} onAsk={setAsked} />}
            <FirstRows preview={shown.preview} />
          </>
        )}
      </LoadedPart>
      <AnswerModal
        paper={paper}
        asked={asked}
        around={(send) => sendOwn('papers', send)}
        onAnswered={check.checkAgain}
        onClose={() => setAsked(null)}
      />
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
            if (openOf(data) > 0) setFreezeAsked(data)
            else freezing.run(data.basis)
          }}
        >
          {freezing.isPending ? 'Freezing…' : 'Freeze'}
        </Button>
        <p className="text-sm text-muted">
          {data && data.stops > 0
            ? `${countOf(data.stops, 'thing')} must be fixed first.`
            : 'Later corrections don’t change this paper.'}
        </p>
      </div>
      <QuestionModal
        title="Freeze this paper?"
        thing={freezeAsked}
        isBusy={freezing.isPending}
        isDangerous={false}
        words={() => ({ confirm: 'Freeze', busy: 'Freezing…' })}
        onConfirm={({ basis }) => {
          setFreezeAsked(null)
          freezing.run(basis)
        }}
        onClose={() => setFreezeAsked(null)}
      >
        {(asked) => (
          <p>
            {countOf(openOf(asked), 'thing')} to look at {openOf(asked) === 1 ? 'has' : 'have'} no answer yet.
            The paper keeps {countOf(asked.ready, 'student')} as their records are now.
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

interface CheckedPaper {
  paper: Paper
  check: Check
  corrected: CorrectedVersions
}

interface GroupProps extends CheckedPaper {
  title: string
  onCredit: (student: Credited) => void
  onAsk: (asked: Asked) => void
  findings: readonly Finding[]
}

function Group({ title, findings, ...checked }: GroupProps) {
  if (findings.length === 0) return null
  const count = findings.reduce((sum, { total }) => sum + total, 0)
  const answered = findings.reduce((sum, { total, open }) => sum + total - open, 0)
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-semibold">
        {title} · {figureText(count)}
        {answered > 0 && <span className="font-normal text-muted"> ({figureText(answered)} answered)</span>}
      </h3>
      <ul className="grid gap-2">
        {findings.map((finding) => (
          <li key={`${finding.code} ${finding.title}`}>
            <OneFinding {...checked} finding={finding} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The student to leave out. In a pair it is the one that the finding's sentence is about. */
const studentOf = ({ ids, name }: Finding['people'][number]) => ({ subject: ids.at(-1) ?? '', name })

function OneFinding({
  finding,
  onCredit,
  onAsk,
  ...checked
}: Omit<GroupProps, 'title' | 'findings'> & { finding: Finding }) {
  const { can, sees } = useAccount()
  const mayType = (field: StudentField) => can('students.edit') && sees(field)
  const { code, title, total, open, people, severity } = finding
  const fixable = people.filter(({ fixes, isMeant }) => fixes.length > 0 && !isMeant)
  const waiting = people.filter(({ isMeant }) => !isMeant)
  const listed = waiting.filter(({ ids }) => ids.length > 0).map(studentOf)
  const fixing = useFixing(checked, code)
  const navigate = useNavigate()
  const address = papersAddress.read(useLocation().search)

  const [isOpen, setOpen] = useState(address.rule === code)

  function noteOpen(opened: boolean) {
    setOpen(opened)
    if (opened === (address.rule === code)) return
    const rule = opened ? code : null
    void navigate(papersAddress.to({ ...address, rule }), { replace: true, preventScrollReset: true })
  }

  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => noteOpen(currentTarget.open)}
      className="rounded-box border bg-card px-4 py-2 text-sm"
    >
      <summary className="min-h-7 cursor-pointer">
        <span className="text-muted">{code}</span> {title} · <strong>{figureText(total)}</strong>
        {open < total && <span className="text-muted"> ({figureText(total - open)} answered)</span>}
      </summary>
      {severity !== 'note' && (
        <div className="my-2 flex flex-wrap gap-2">
          {fixable.length > 1 && can('students.edit') && (
            <SmallButton aria-disabled={fixing.isPending} onClick={() => fixing.run(null)}>
              {open > people.length ? 'Do all' : `Do all ${figureText(fixable.length)}`}
            </SmallButton>
          )}
          {fixable.length === 0 && listed.length > 1 && (
            <SmallButton onClick={() => onAsk({ answer: 'left out', code, people: listed })}>
              {total > people.length ? `Leave these ${figureText(listed.length)} out…` : 'Leave all out…'}
            </SmallButton>
          )}
          {severity === 'ask' && waiting.length > 1 && (
            <SmallButton onClick={() => onAsk({ answer: 'meant', code, people: waiting })}>
              {total > people.length ? `These ${figureText(waiting.length)} are meant so…` : 'All meant so…'}
            </SmallButton>
          )}
        </div>
      )}
      {fixing.error && <ErrorBanner message={sentenceOf(fixing.error)} />}
      <ul className="divide-y">
        {people.map((person) => (
          <li key={person.subject} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <span className="min-w-[min(12rem,100%)] flex-1 wrap-anywhere">
              {person.ids.length > 0 ? (
                <Link
                  to={tabPath('students', { student: person.ids.at(-1) ?? '' })}
                  className="font-semibold underline underline-offset-4"
                >
                  {person.name}
                </Link>
              ) : (
                <Link
                  to={`${tabPath('system-settings')}#office`}
                  className="font-medium underline underline-offset-4"
                >
                  Settings
                </Link>
              )}
              <span className="block">{person.sentence}</span>
              {person.fixes.map(({ field, before, after }) => (
                <span key={field} className="block text-muted">
                  {fieldDefinition(field).label}: {before || 'empty'} →{' '}
                  <strong className="text-fg">{after || 'empty'}</strong>
                </span>
              ))}
              {person.isMeant && <span className="block text-muted">Meant so: {person.reason}</span>}
            </span>
            {severity !== 'note' && person.typed && !person.isMeant && mayType(person.typed.field) && (
              <TypedValue
                // Checked again, the field has what is stored by then.
                key={person.versions[0]}
                code={code}
                person={person}
                typed={person.typed}
                versions={checked.corrected}
                onCorrected={checked.check.noteChange}
              />
            )}
            {severity !== 'note' && (
              <span className="flex flex-wrap gap-2">
                <OtherScreen code={code} person={person} onCredit={onCredit} />
                {person.fixes.length > 0 && !person.isMeant && can('students.edit') && (
                  <SmallButton
                    aria-label={`Do it for ${person.name}`}
                    aria-disabled={fixing.isPending}
                    onClick={() => fixing.run([person])}
                  >
                    Do it
                  </SmallButton>
                )}
                {severity === 'ask' &&
                  (person.isMeant ? (
                    <SmallButton onClick={() => onAsk({ answer: null, code, people: [person] })}>
                      Take the answer back
                    </SmallButton>
                  ) : (
                    <SmallButton
                      aria-label={`${person.name || person.sentence} is meant so`}
                      onClick={() => onAsk({ answer: 'meant', code, people: [person] })}
                    >
                      Meant so…
                    </SmallButton>
                  ))}
                {person.ids.length > 0 && (
                  <SmallButton
                    aria-label={`Leave out ${person.name}`}
                    onClick={() => onAsk({ answer: 'left out', code, people: [studentOf(person)] })}
                  >
                    Leave out…
                  </SmallButton>
                )}
              </span>
            )}
          </li>
        ))}
      </ul>
      {total > people.length && (
        <p className="py-2 text-muted">
          The first {figureText(people.length)} of {figureText(total)} are shown.
        </p>
      )}
    </details>
  )
}

interface OtherScreenProps {
  code: string
  person: Finding['people'][number]
  onCredit: (student: Credited) => void
}

/** The link to the screen where a finding is put right, if not here. */
function OtherScreen({ code, person: { ids, name, enrolment }, onCredit }: OtherScreenProps) {
  const { can } = useAccount()
  const [id = '', other] = [...ids].reverse()
  if ((code === 'K03' || code === 'K04') && other && can('students.change')) {
    return (
      <SmallLink to={tabPath('students', { duplicate: id, with: other })}>
        Compare<span className="sr-only">: {name}</span>
      </SmallLink>
    )
  }
  if (code === 'K08' && can('credits')) {
    return (
      <SmallButton aria-label={`Credit for ${name}`} onClick={() => onCredit({ id, name })}>
        Credit…
      </SmallButton>
    )
  }
  if (code === 'K09' && enrolment && can('marks.read')) {
    const { termId, component, level, sectionId } = enrolment
    const marks = sectionId ?? 'none'
    return (
      <SmallLink
        to={tabPath('terms', { pane: 'marks', term: termId, component, level: String(level), marks })}
      >
        Marks<span className="sr-only">: {name}</span>
      </SmallLink>
    )
  }
  return null
}

function useFixing({ paper, check }: Pick<CheckedPaper, 'paper' | 'check'>, code: string) {
  return useAction({
    topics: ['papers', 'students'],
    /** @param people null for all of whom the rule proposes something */
    mutationFn: (people: readonly Finding['people'][number][] | null) =>
      sendOwn('students', () =>
        callApi(
          slowApi.papers[':id'].fixes.$post({
            param: { id: paper.id },
            json: {
              code,
              people:
                people?.map(({ subject, versions }) => ({ subject, version: versions.at(-1) ?? 0 })) ?? null,
            },
          }),
        ),
      ),
    onError: check.checkAgain,
    onSuccess({ id, fixed, skipped }) {
      if (fixed === 0) expectNone('students')
      check.checkAgain()
      const stayed = skipped > 0 ? `; ${figureText(skipped)} changed meanwhile and stayed` : ''
      const message = `${countOf(fixed, 'record')} changed${stayed}`
      if (fixed === 0) showToast({ type: 'warning', message })
      else
        showUndoable({
          message,
          whatFailed: 'Failed to undo the change',
          async undo() {
            await sendOwn('students', () =>
              callApi(slowApi.students.changes[':id'].undo.$post({ param: { id } })),
            )
            check.checkAgain()
          },
        })
    },
  })
}

function LeftOut({ leftOut, onAsk }: Pick<PaperCheck, 'leftOut'> & Pick<GroupProps, 'onAsk'>) {
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
      <DataTable caption="The first rows">
        <thead>
          <tr>
            {heads.map((head) => (
              <HeadCell key={head} className="whitespace-pre-line">
                {head}
              </HeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join('\n')}>
              {row.map((text, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is of its column
                <PaperCell key={column} text={text} />
              ))}
            </tr>
          ))}
        </tbody>
      </DataTable>
    </details>
  )
}
