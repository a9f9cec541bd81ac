import { skipToken, useQuery } from '@tanstack/react-query'
import { ArrowRightLeft, Award } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { StudentRecord } from '#shared/students/student-response.ts'
import { outcomeNames } from '#shared/terms/marking.ts'
import type { Program, ProgramCredit } from '#shared/terms/program-response.ts'
import { sectionLabel } from '#shared/terms/terms.ts'
import { Badge } from '#web/components/badge.tsx'
import { SmallButton } from '#web/components/button.tsx'
import { Hint } from '#web/components/hint.tsx'
import { Modal, ModalOf } from '#web/components/modal.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, reading } from '#web/lib/api.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { type NameLevel, useLevelNames } from '#web/lib/level-names.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { sectionsQuery, termsQuery } from '#web/lib/terms.ts'
import { CreditForm, groundTexts, RevokeCredit } from './credit-form.tsx'
import { type ChangedEnrolment, MoveOrDropModal } from './move-or-drop.tsx'

type ProgramEnrolment = Program['enrolments'][number]

interface StudentProgramProps {
  student: StudentRecord
  certificates: ReactNode
}

/** The part of a student's record with terms, credits, exemptions and certificates. */
export function StudentProgram({ student, certificates }: StudentProgramProps) {
  const { id } = student
  const { can } = useAccount()
  const { levelName } = useLevelNames()
  const terms = useQuery(termsQuery)
  // Credits are shown also if there is no term: for students who graduated before this system.
  const isShown = terms.data !== undefined && (terms.data.length > 0 || can('credits'))
  const query = useQuery({
    queryKey: ['terms', 'program', id],
    meta: { topics: ['students'] },
    queryFn: isShown ? reading(api.students[':id'].program.$get, { param: { id } }) : skipToken,
  })
  const [changed, setChanged] = useState<ProgramEnrolment | null>(null)
  const [isCrediting, setCrediting] = useState(false)
  const [revoked, setRevoked] = useState<ProgramCredit | null>(null)
  if (!isShown) return certificates
  return (
    <section>
      <h3 className="border-b pb-1 font-semibold text-primary">NSTP program</h3>
      <div className="mt-3 grid gap-3">
        <LoadedPart query={query} what="the NSTP program" lines={1} className="h-16">
          {(program) => (
            <>
              <NextLevel program={program} nameOf={(level) => levelName(student.nstpComponent, level)} />
              {program.enrolments.length > 0 && (
                <ul className="divide-y rounded-box border">
                  {program.enrolments.map((enrolment) => (
                    <EnrolmentLine
                      key={enrolment.id}
                      enrolment={enrolment}
                      onChange={() => setChanged(enrolment)}
                    />
                  ))}
                </ul>
              )}
              {program.papers.length > 0 && (
                <ul className="divide-y rounded-box border">
                  {program.papers.map((paper) => (
                    <PaperLine key={`${paper.id} ${paper.list}`} paper={paper} />
                  ))}
                </ul>
              )}
              {program.credits.length > 0 && (
                <ul className="divide-y rounded-box border">
                  {program.credits.map((credit) => (
                    <CreditLine key={credit.id} credit={credit} onRevoke={() => setRevoked(credit)} />
                  ))}
                </ul>
              )}
            </>
          )}
        </LoadedPart>
        {certificates}
        {can('credits') && (
          <div>
            <SmallButton icon={Award} onClick={() => setCrediting(true)}>
              Credit or exemption…
            </SmallButton>
          </div>
        )}
      </div>
      {changed && (
        <MoveFromRecord
          termId={changed.term.id}
          enrolment={{ ...changed, student }}
          onClose={() => setChanged(null)}
        />
      )}
      <Modal open={isCrediting} onClose={() => setCrediting(false)} size="sm" title="Credit or exemption">
        <CreditForm studentId={id} onClose={() => setCrediting(false)} />
      </Modal>
      <ModalOf
        thing={revoked}
        onClose={() => setRevoked(null)}
        size="sm"
        title={({ kind }) => (kind === 'exemption' ? 'Revoke this exemption' : 'Revoke this credit')}
      >
        {(credit) => <RevokeCredit credit={credit} onClose={() => setRevoked(null)} />}
      </ModalOf>
    </section>
  )
}

interface NextLevelProps {
  program: Program
  nameOf: (level: number) => string
}

function NextLevel({ program: { nextLevel, exempt }, nameOf }: NextLevelProps) {
  // The level is absent for an account that may not read marks.
  if (nextLevel === undefined && !exempt) return null
  return <p className="text-sm">{exempt ? 'Exempt from NSTP.' : nextText(nextLevel, nameOf)}</p>
}

function nextText(nextLevel: Program['nextLevel'], nameOf: NextLevelProps['nameOf']): string {
  return nextLevel ? `Next level: ${nameOf(nextLevel)}.` : 'Both levels are passed or credited.'
}

interface MoveFromRecordProps {
  termId: string
  enrolment: ChangedEnrolment
  onClose: () => void
}

function MoveFromRecord({ termId, enrolment, onClose }: MoveFromRecordProps) {
  const term = { id: termId }
  const [enrolments] = useState([enrolment])
  const { data: sections } = useQuery(sectionsQuery(term))
  // Without the sections, the only choice would be no section.
  if (sections === undefined) return null
  return <MoveOrDropModal term={term} sections={sections} enrolments={enrolments} onClose={onClose} />
}

function EnrolmentLine({ enrolment, onChange }: { enrolment: ProgramEnrolment; onChange: () => void }) {
  const { can, includes } = useAccount()
  const { momentOf } = useInstantTexts()
  const { cellName, levelName } = useLevelNames()
  const { term, component, section, status, statusOn, reason, school, officialAt, history } = enrolment
  const mayChange =
    can('enrolments') && includes(component) && status === 'enrolled' && term.state !== 'closed'
  return (
    <Line
      title={term.label}
      badge={status !== 'enrolled' && `${status} ${dateOf(statusOn)}`}
      facts={[
        cellName(enrolment),
        section && sectionLabel(section),
        school,
        officialAt && 'official',
        markText(enrolment),
        reason,
      ]}
    >
      {mayChange && (
        <div>
          <SmallButton icon={ArrowRightLeft} onClick={onChange}>
            Move or drop…
          </SmallButton>
        </div>
      )}
      {history.length > 0 && (
        <details className="text-sm">
          <summary className="min-h-7 cursor-pointer max-md:min-h-11">History</summary>
          <ul className="grid gap-1 py-1 text-muted">
            {history.map((change) => (
              <li key={`${change.at} ${change.what}`} className="wrap-anywhere">
                {factsText(
                  changeText(change, levelName),
                  change.reason,
                  change.by ?? 'The portal',
                  momentOf(change.at),
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Line>
  )
}

/** '1.25 Passed'; '' for none. */
function markText({ mark = '', outcome = 'none' }: Pick<ProgramEnrolment, 'mark' | 'outcome'>): string {
  return outcome === 'none' ? mark : `${mark} ${outcomeNames[outcome]}`.trim()
}

function changeText(
  { what, before, after }: ProgramEnrolment['history'][number],
  levelName: NameLevel,
): string {
  const place = (values: typeof before) => values.section || 'no section'
  const texts: Record<typeof what, string> = {
    enrolled: `Enrolled, ${place(after)}`,
    section: `From ${place(before)} to ${place(after)}`,
    moved: `Moved to ${[after.component, after.level && levelName(String(after.component), Number(after.level))].filter(Boolean).join(', ')}`,
    dropped: 'Dropped',
    official: 'On the registrar’s list',
    mark: `Mark ${before.mark || 'none'} to ${after.mark || 'none'}`,
    undone: 'Changed back',
  }
  return texts[what]
}

function PaperLine({ paper }: { paper: Program['papers'][number] }) {
  const { id, title, state, list, number, serial } = paper
  return (
    <Line
      title={
        <Link className="underline-offset-4 hover:underline" to={tabPath('papers', { paper: id })}>
          {title}
        </Link>
      }
      facts={[`${list === 'graduates' ? 'Graduates' : 'Enrollment'} no. ${number}`, state, serial]}
    />
  )
}

function CreditLine({ credit, onRevoke }: { credit: ProgramCredit; onRevoke: () => void }) {
  const { can } = useAccount()
  const { dayOf } = useInstantTexts()
  const { levelName } = useLevelNames()
  const { level, component, school, academicYear, mark, ground, evidence, by, at } = credit
  const { revokedAt, revokedBy, revokeReason } = credit
  const title = level === null ? 'Exemption' : `Credit of ${levelName(component, level)}`
  return (
    <Line
      title={title}
      badge={revokedAt && `revoked ${dayOf(revokedAt)}`}
      facts={[ground && groundTexts[ground], component, school, academicYear, mark]}
    >
      <Hint className="wrap-anywhere">{factsText(evidence, by, dayOf(at))}</Hint>
      {revokedAt ? (
        <p className="text-sm wrap-anywhere">{factsText(revokeReason, revokedBy)}</p>
      ) : (
        can('credits') && (
          <div>
            <SmallButton aria-label={`Revoke: ${title}`} onClick={onRevoke}>
              Revoke…
            </SmallButton>
          </div>
        )
      )}
    </Line>
  )
}

interface LineProps {
  title: ReactNode
  badge?: string | false | null
  facts: Parameters<typeof factsText>
  children?: ReactNode
}

function Line({ title, badge, facts, children }: LineProps) {
  return (
    <li className="grid gap-1 px-3 py-2.5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="min-w-0 font-medium wrap-anywhere">{title}</p>
        {badge && <Badge tone="warning">{badge}</Badge>}
      </div>
      <Hint className="wrap-anywhere">{factsText(...facts)}</Hint>
      {children}
    </li>
  )
}
