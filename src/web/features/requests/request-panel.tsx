import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import { createSearchParams, Link } from 'react-router'
import { excuseGroundNames } from '#shared/attendance/excuse-grounds.ts'
import { restrictionLabels } from '#shared/privacy/privacy.ts'
import { requestLimits, studentRequestNames } from '#shared/requests/request-kinds.ts'
import type { OfficeRequest } from '#shared/requests/requests-response.ts'
import { isOfWholeRecord, requestMessages } from '#shared/requests/student-requests.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { Checkbox } from '#web/components/checkbox.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { FieldErrorText, TextAreaField } from '#web/components/field.tsx'
import { Hint } from '#web/components/hint.tsx'
import { ModalFoot, ModalOf } from '#web/components/modal.tsx'
import { RequestState } from '#web/components/request-state.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { TrainingDay } from '#web/components/training-day.tsx'
import { UnsavedGuard } from '#web/components/unsaved-prompt.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, reading } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { useAction } from '#web/lib/query.ts'
import { dateOf } from '#web/lib/relative-time.ts'

/** @param id of the request in the address; null closes the panel */
export function RequestPanel({ id, onClose }: { id: string | null; onClose: () => void }) {
  return (
    <ModalOf thing={id} onClose={onClose} size="side" title="Request of a student">
      {(shown) => <Opened id={shown} onClose={onClose} />}
    </ModalOf>
  )
}

function Opened({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery({
    queryKey: ['requests', 'one', id],
    // The record's values of now, and what is called by now.
    meta: { topics: ['students', 'attendance'] },
    queryFn: reading(api.requests[':id'].$get, { param: { id } }),
  })
  return (
    <LoadedPart query={query} what="the request" lines={4} className="h-14">
      {(request) => (
        <div className="grid gap-5">
          <Facts request={request} />
          {request.state === 'open' && request.hindrance === '' ? (
            <Decision request={request} onDone={onClose} />
          ) : (
            <>
              <Changes request={request} />
              {request.state === 'open' ? (
                <p className="rounded-box bg-warning-soft px-3 py-2 text-sm text-warning">
                  {request.hindrance}
                </p>
              ) : (
                <Decided request={request} />
              )}
            </>
          )}
        </div>
      )}
    </LoadedPart>
  )
}

function Facts({ request }: { request: OfficeRequest }) {
  const { studentId, name, reference, component, archived, restriction, formerReferences, absence } = request
  const { momentOf } = useInstantTexts()
  const notes = [
    archived && 'Archived',
    restriction && restrictionLabels[restriction],
    formerReferences.length > 0 && `Merged with ${formerReferences.join(', ')}`,
  ].filter((note) => typeof note === 'string')
  return (
    <div className="grid gap-2">
      <p>
        <Link
          className="font-semibold text-primary underline"
          to={tabPath('students', { archive: 'all', student: studentId })}
        >
          {name}
        </Link>
        <span className="text-muted"> {factsText(reference, component, ...notes)}</span>
      </p>
      <p>
        <strong>{studentRequestNames[request.kind]}</strong>, asked on {momentOf(request.askedAt)}
        {request.dueOn !== null && `, to be answered by ${dateOf(request.dueOn)}`}
      </p>
      {absence && (
        <p>
          <TrainingDay day={absence} />: {excuseGroundNames[absence.ground]}
          <span className="text-muted">
            {' '}
            (called so far: {absence.called === null ? 'nothing' : absence.called})
          </span>
        </p>
      )}
      {request.reason !== '' && (
        <blockquote className="border-l-4 pl-3 wrap-anywhere whitespace-pre-wrap">
          {request.reason}
        </blockquote>
      )}
      <Touched request={request} />
    </div>
  )
}

/** What has left the office, or is about to, with the values of then. */
function Touched({ request: { kind, papers, certificates } }: { request: OfficeRequest }) {
  const isOfAll = isOfWholeRecord(kind)
  if (papers.length === 0 && certificates.length === 0) return null
  return (
    <ul className="list-disc rounded-box bg-info-soft py-2 pr-3 pl-7 text-sm">
      {papers.map(({ id, title, state, sentOn, labels }) => (
        <li key={id}>
          {isOfAll ? 'The student is in' : `${labels.join(', ')}: as in`}{' '}
          <Link className="underline" to={tabPath('papers', { paper: id })}>
            {title}
          </Link>
          ,{' '}
          {sentOn === null
            ? state
            : `sent on ${dateOf(sentOn)}: ${isOfAll ? 'tell the agency' : 'a correction letter is needed'}`}
        </li>
      ))}
      {certificates.map((number) => (
        <li key={number}>
          The name is on certificate {number}
          {isOfAll ? '.' : ': issue it anew after the change.'}
        </li>
      ))}
    </ul>
  )
}

const shown = (field: StudentField, value: string) =>
  (field === 'dateOfBirth' ? dateOf(value) : value) || '(empty)'

interface ChangesProps {
  request: OfficeRequest
  /** The tick of a field, while one decides. */
  renderTick?: (field: StudentField, label: string) => ReactNode
  errorOf?: (field: string) => string | undefined
}

function Changes({ request: { changes, state }, renderTick, errorOf }: ChangesProps) {
  if (changes.length === 0) return null
  return (
    <ul className="divide-y rounded-box border">
      {changes.map(({ field, label, from, to, now, granted }) => (
        <li key={field} className="flex items-start gap-2 px-3 py-2">
          {renderTick?.(field, label)}
          <div className="min-w-0 flex-1">
            <p className="text-sm font-semibold">
              {label}
              {granted !== null && state !== 'withdrawn' && `: ${granted ? 'changed' : 'not changed'}`}
            </p>
            <p className="wrap-anywhere whitespace-pre-wrap">
              <span className="sr-only">From </span>
              <del className="text-muted no-underline">{shown(field, from)}</del>
              <span aria-hidden="true"> → </span>
              <span className="sr-only"> to </span>
              <ins className="font-semibold no-underline">{shown(field, to)}</ins>
            </p>
            {state === 'open' && now !== from && (
              <p className="text-sm text-warning">
                Now in the record: {shown(field, now)}. It may be of another person since a merge: accept it
                by itself.
              </p>
            )}
            {errorOf?.(field) && <FieldErrorText id={`error-${field}`}>{errorOf(field)}</FieldErrorText>}
          </div>
        </li>
      ))}
    </ul>
  )
}

function Decided({ request }: { request: OfficeRequest }) {
  const { kind, state, decidedAt, answer } = request
  const { momentOf } = useInstantTexts()
  return (
    <div>
      <p>
        <RequestState request={request} /> {decidedAt !== null && momentOf(decidedAt)}
      </p>
      {answer !== '' && <p className="mt-1 wrap-anywhere whitespace-pre-wrap">{answer}</p>}
      {kind === 'erasure' && state === 'granted' && (
        <p className="mt-3 rounded-box bg-warning-soft px-3 py-2 text-sm text-warning">
          Left to do: delete the record in its menu in Student Management, after the e-mail to the student was
          sent. Waiting mail goes with the record.
        </p>
      )}
    </div>
  )
}

/** Where that is done which the decision doesn't do itself. */
const nextSteps = {
  correction: '',
  component:
    'Accepted, the student leaves the section of an open term, and waits for one of the new component.',
  absence: 'Accepted, the student is excused on this day, whatever was called. E stands on the roll.',
  copy: 'Download the file in the menu of the record and hand it over. See an ID first.',
  blocking: 'See an ID, block the record in its menu, then grant this.',
  erasure:
    'See an ID and grant this, so that the student is told. Then delete the record in its menu: this answers the request of the screen Privacy too.',
}

function Decision({ request, onDone }: { request: OfficeRequest; onDone: () => void }) {
  const { id, kind, version, recordVersion, changes, guardian } = request
  const isCancelled = request.absence?.isCancelled === true
  const hasMovedOn = changes.some(({ from, now }) => now !== from)
  const [ticked, setTicked] = useState<readonly StudentField[]>([])
  const [answer, setAnswer] = useState('')
  const [guardianAgreed, setGuardianAgreed] = useState(false)
  const [missing, setMissing] = useState<Partial<Record<string, string>>>({})
  const guardianId = useId()
  const isDecided = useRef(false)
  const answerField = useRef<HTMLTextAreaElement>(null)
  const deciding = useAction({
    topics: ['requests', 'students', 'attendance'],
    mutationFn: (accept: 'all' | StudentField[]) =>
      callApi(
        api.requests[':id'].decide.$post({
          param: { id },
          json: { version, recordVersion, accept, answer, guardianAgreed },
        }),
      ),
    onSuccess({ movedIn }) {
      const moved = movedIn.length > 0 ? ` The student waits for a section in ${movedIn.join(', ')}.` : ''
      showToast('success', `Request answered.${moved}`)
      isDecided.current = true
      onDone()
    },
  })
  const { error } = deciding
  const errors = error instanceof ApiProblem ? (error.problem.errors ?? []) : []
  const errorOf = (path: string) => missing[path] ?? errors.find((one) => one.path === path)?.message
  function decide(accept: 'all' | StudentField[]) {
    const isRefused = accept.length === 0 || (accept !== 'all' && accept.length < changes.length)
    const found = {
      ...(isRefused && answer.trim() === '' && { answer: requestMessages.answer }),
      ...(guardian && accept.length > 0 && !guardianAgreed && { guardianAgreed: requestMessages.guardian }),
    }
    setMissing(found)
    if (found.answer) answerField.current?.focus()
    if (Object.keys(found).length === 0) deciding.run(accept)
  }
  const isPart = ticked.length > 0 && (hasMovedOn || ticked.length < changes.length)
  const toggle = (field: StudentField) =>
    setTicked(ticked.includes(field) ? ticked.filter((one) => one !== field) : [...ticked, field])
  const renderTick = (field: StudentField, label: string) =>
    (changes.length > 1 || hasMovedOn) && (
      <Checkbox label={`Accept: ${label}`} checked={ticked.includes(field)} onChange={() => toggle(field)} />
    )
  return (
    <form className="grid gap-4" onSubmit={(event) => event.preventDefault()}>
      <UnsavedGuard
        isUnsaved={answer !== '' || ticked.length > 0 || guardianAgreed}
        staysOpen={({ search }) => isDecided.current || createSearchParams(search).get('request') === id}
      />
      {error && <ErrorBanner message={sentenceOf(error)} />}
      <Changes request={request} renderTick={renderTick} errorOf={errorOf} />
      {isCancelled ? (
        <p className="text-sm text-warning">{requestMessages.dayCancelled}</p>
      ) : (
        nextSteps[kind] !== '' && <Hint>{nextSteps[kind]}</Hint>
      )}
      {guardian && (
        <div className="rounded-box bg-warning-soft px-3 py-2 text-sm">
          <p>
            The student is below 18. Guardian of record:{' '}
            {[guardian.name, guardian.relationship, guardian.contactNumber].filter(Boolean).join(', ') ||
              'none'}
          </p>
          <label className="mt-2 flex items-center gap-2 font-semibold" htmlFor={guardianId}>
            <input
              id={guardianId}
              type="checkbox"
              className="size-4.5 accent-primary"
              checked={guardianAgreed}
              onChange={() => setGuardianAgreed(!guardianAgreed)}
            />
            I spoke with the guardian, who agrees.
          </label>
          {errorOf('guardianAgreed') && (
            <FieldErrorText id={`${guardianId}-error`}>{errorOf('guardianAgreed')}</FieldErrorText>
          )}
        </div>
      )}
      <TextAreaField
        ref={answerField}
        name="answer"
        label="Answer to the student"
        hint="Needed where something is refused. The student reads it at /my, and by e-mail if that is set up."
        maxLength={requestLimits.answer}
        error={errorOf('answer')}
        value={answer}
        onChange={({ target }) => setAnswer(target.value)}
      />
      <ModalFoot>
        <SmallButton aria-disabled={deciding.isPending} onClick={() => decide([])}>
          {changes.length > 1 ? 'Refuse all' : 'Refuse'}
        </SmallButton>
        {(isPart || !hasMovedOn) && !isCancelled && (
          <Button
            size="sm"
            aria-disabled={deciding.isPending}
            onClick={() => decide(isPart ? [...ticked] : 'all')}
          >
            {acceptWords(isPart ? ticked.length : changes.length, changes.length)}
          </Button>
        )}
      </ModalFoot>
    </form>
  )
}

function acceptWords(accepted: number, all: number): string {
  if (accepted < all) return `Accept ${accepted} of ${all}`
  return all > 1 ? 'Accept all' : 'Accept'
}
