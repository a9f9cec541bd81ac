import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Finding, Paper } from '#shared/papers/papers-response.ts'
import { fieldDefinition, type StudentField } from '#shared/students/student-fields.ts'
import { SmallButton, SmallLink } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { showUndoable } from '#web/components/undo-toast.ts'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { callApi, slowApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { expectNone, sendOwn } from '#web/lib/live.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { papersAddress } from './data.ts'
import type { PaperQuestion } from './paper-answer.tsx'
import { type CorrectedVersions, TypedValue } from './typed-value.tsx'

/** The student who gets a credit. */
export interface Credited {
  id: string
  name: string
}

interface CheckedPaper {
  paper: Paper
  check: { checkAgain: () => void; noteChange: () => void }
  corrected: CorrectedVersions
}

interface GroupProps extends CheckedPaper {
  title: string
  onCredit: (student: Credited) => void
  onAsk: (question: PaperQuestion) => void
  findings: readonly Finding[]
}

/** The findings of one weight, with what can be done about each. */
export function FindingGroup({ title, findings, ...checked }: GroupProps) {
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
      if (fixed === 0) showToast('warning', message)
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
