import { Link } from 'react-router'
import { excuseGroundNames } from '#shared/attendance/excuse-grounds.ts'
import { myPath, requestPath } from '#shared/my/my-path.ts'
import type { MyPage, NextStep } from '#shared/my/own-page-response.ts'
import { studentRequestNames } from '#shared/requests/request-kinds.ts'
import type { OwnRequests, StudentRequest } from '#shared/requests/requests-response.ts'
import { componentNames, isComponent } from '#shared/students/student-choices.ts'
import { outcomeNames } from '#shared/terms/marking.ts'
import { Badge } from '#web/components/badge.tsx'
import { ButtonLink } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { RequestState } from '#web/components/request-state.tsx'
import { TrainingDay } from '#web/components/training-day.tsx'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { excusableDays } from './excusable-days.ts'
import { ActionButton, Facts, linkClass, MyFrame, Part, restrictionWords } from './my-frame.tsx'
import { OwnAttendance } from './own-attendance.tsx'
import type { Refusal } from './refusal.ts'

export const recordPath = `${myPath}/record`

interface OwnPageProps {
  page: MyPage
  requests: OwnRequests
  refusal: Refusal | undefined
}

/** After the second step. A part without anything to say isn't there. */
export function OwnPage({ page, requests, refusal }: OwnPageProps) {
  const t = useTranslation()
  const { student, where, attendance, result, serial } = page
  const { firstName, reference, academicYear, archived, restriction } = student
  return (
    <MyFrame title="My NSTP" hasLeave>
      {refusal?.sentence && <ErrorBanner message={refusal.sentence} />}
      <div>
        <p className="text-lg font-semibold">{firstName}</p>
        <p className="text-muted">
          <span className="font-mono">{reference}</span>, {academicYear}
        </p>
        {archived && <p className="mt-2">{t('Your record is archived and can no longer be changed.')}</p>}
        {restriction && <p className="mt-2">{t(restrictionWords[restriction])}</p>}
      </div>
      {where && <Where where={where} />}
      {attendance && (
        <OwnAttendance attendance={attendance} mayAsk={excusableDays(page, requests).length > 0} />
      )}
      {result && <Result result={result} />}
      {serial && <Serial serial={serial} />}
      <Part id="record" title="My record">
        <p>{t('What the office holds of you, and who opened it.')}</p>
        <Link to={recordPath} className={`self-start ${linkClass}`}>
          {t('Open my record')}
        </Link>
      </Part>
      <Requests requests={requests} />
    </MyFrame>
  )
}

/** At noon it is the same day almost everywhere. */
function useDayText() {
  const { dayOf } = useInstantTexts()
  return (day: string) => dayOf(`${day}T12:00:00Z`)
}

/** A field's value as people read it. */
export function useValueText() {
  const t = useTranslation()
  const dayText = useDayText()
  return (field: string, value: string) =>
    field === 'dateOfBirth' && value !== '' ? dayText(value) : t(value)
}

const whereSentences = {
  waiting: 'You are enlisted. The office tells you here when it has placed you in a section.',
  enrolled: 'You wait for a section. The office tells you here when it has placed you.',
  placed: '',
  dropped: 'You were dropped from this term. Ask the office if that is wrong.',
} as const

function Where({ where }: { where: NonNullable<MyPage['where']> }) {
  const t = useTranslation()
  const { state, component, level, term, section, adviser, meets } = where
  const sentence = whereSentences[state]
  return (
    <Part id="where" title="Where I am">
      {sentence && <p>{t(sentence)}</p>}
      <Facts
        facts={[
          ['Section', section],
          ['Day and place', meets],
          ['Adviser', adviser],
          [
            'NSTP component',
            isComponent(component) ? `${component}, ${componentNames[component]}` : component,
          ],
          ['Level', level],
          ['Term', t(term)],
        ]}
      />
    </Part>
  )
}

const nextSentences: Readonly<Record<NextStep, string>> = {
  first: 'Next: you still need both levels of the program.',
  second: 'Next: the second level of the program.',
  again: 'Next: you take this level again.',
  incomplete: 'Your mark is incomplete. Ask your teacher what is missing.',
  graduate: 'You completed both levels of the program.',
  exempt: 'You are exempt from the program.',
}

function Result({ result: { enrolments, credits, next } }: { result: NonNullable<MyPage['result']> }) {
  const t = useTranslation()
  return (
    <Part id="result" title="Result">
      <ul className="flex flex-col gap-3">
        {enrolments.map(({ term, component, level, mark, outcome }) => (
          <li key={`${term} ${level} ${component}`} className="border-b pb-3 last:border-0 last:pb-0">
            <p className="text-sm text-muted">{t(term)}</p>
            <p className="flex flex-wrap items-baseline gap-x-3 font-semibold">
              <span>
                {level} {component}
              </span>
              {mark && <span className="tabular-nums">{mark}</span>}
              {outcome === 'none' ? (
                <span className="font-normal text-muted">{t('The mark is not shown here.')}</span>
              ) : (
                <Badge tone={outcome === 'passed' ? 'success' : 'warning'}>{outcomeNames[outcome]}</Badge>
              )}
            </p>
          </li>
        ))}
        {credits.map(({ level, school, academicYear, mark }) => (
          <li key={`${level} ${academicYear} ${school}`} className="border-b pb-3 last:border-0 last:pb-0">
            <p className="text-sm text-muted">{[school, academicYear].filter(Boolean).join(', ')}</p>
            <p className="font-semibold">
              {level} {t(level === '' ? 'Exemption' : 'credited')}{' '}
              <span className="tabular-nums">{mark}</span>
            </p>
          </li>
        ))}
      </ul>
      {next && <p>{t(nextSentences[next])}</p>}
    </Part>
  )
}

function Serial({ serial: { number, certificates, paper } }: { serial: NonNullable<MyPage['serial']> }) {
  const t = useTranslation()
  const dayText = useDayText()
  return (
    <Part id="serial" title="Serial number and certificate">
      {number === '' ? (
        <p>
          {t('Your serial number has not arrived yet.')} {paper && t(paperSentence(paper, dayText))}
        </p>
      ) : (
        <Facts facts={[['Serial number', number]]} />
      )}
      {certificates.map(({ number: own, issuedOn, code }) => (
        <div key={own}>
          <p className="text-sm text-muted">{t('Certificate')}</p>
          <p className="font-semibold wrap-anywhere">
            {own}, {dayText(issuedOn)}
          </p>
          <Link to={`/verify/${code}`} className={linkClass}>
            {t('Verify a certificate')}
          </Link>
        </div>
      ))}
    </Part>
  )
}

function paperSentence(
  { agency, state, sentOn }: NonNullable<NonNullable<MyPage['serial']>['paper']>,
  dayText: (day: string) => string,
): string {
  if (state === 'accepted') return `${agency} accepted the list of graduates.`
  if (state === 'returned') return `${agency} returned the list of graduates for a correction.`
  if (sentOn !== null && state === 'sent') {
    return `The list of graduates was sent to ${agency} on ${dayText(sentOn)}.`
  }
  return `The list of graduates for ${agency} is prepared.`
}

function Requests({ requests: { items, left } }: { requests: OwnRequests }) {
  const t = useTranslation()
  return (
    <Part id="requests" title="My requests">
      <ul className="flex flex-col gap-4">
        {items.map((request) => (
          <Request key={request.id} request={request} />
        ))}
      </ul>
      {left.today > 0 ? (
        <ButtonLink to={requestPath} className="sm:self-start">
          Ask for a change
        </ButtonLink>
      ) : (
        <p>{t('You made as many requests as are possible in a day. Ask again tomorrow.')}</p>
      )}
    </Part>
  )
}

function Request({ request }: { request: StudentRequest }) {
  const t = useTranslation()
  const { dayOf } = useInstantTexts()
  const valueText = useValueText()
  const { id, kind, askedAt, changes, absence, reason, state, answer, waitsForGuardian } = request
  return (
    <li className="flex flex-col gap-2 border-b pb-4 wrap-anywhere">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
        {t(studentRequestNames[kind])} <RequestState request={request} />
      </p>
      <p className="text-sm text-muted">{dayOf(askedAt)}</p>
      {absence && (
        <p>
          <TrainingDay day={absence} />: <strong>{t(excuseGroundNames[absence.ground])}</strong>
        </p>
      )}
      {changes.length > 0 && (
        <ul className="flex flex-col gap-1">
          {changes.map(({ field, label: name, from, to, granted }) => (
            <li key={field}>
              {t(name)}: {valueText(field, from) || '—'} → <strong>{valueText(field, to) || '—'}</strong>{' '}
              {state === 'granted' && granted === false && t('(not granted)')}
            </li>
          ))}
        </ul>
      )}
      {reason && <p className="whitespace-pre-line">{reason}</p>}
      {waitsForGuardian && (
        <p>{t('You are under 18: the office asks your parent or guardian before it decides.')}</p>
      )}
      {answer && (
        <p className="rounded-box bg-soft px-3 py-2 whitespace-pre-line">
          <span className="font-semibold">{t('The office:')}</span> {answer}
        </p>
      )}
      {state === 'open' && (
        <ActionButton intent="withdraw" id={id}>
          Withdraw
        </ActionButton>
      )}
    </li>
  )
}
