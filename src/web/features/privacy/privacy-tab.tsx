import { useQuery } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { type ReactNode, useState } from 'react'
import { instantOfLocal, localTimeOf } from '#shared/local-time.ts'
import {
  breachDue,
  breachNotice,
  breachSchema,
  requestDays,
  requestKindNames,
  requestKinds,
  requestSchema,
} from '#shared/privacy/privacy.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { Badge } from '#web/components/badge.tsx'
import { SmallButton, SmallLink } from '#web/components/button.tsx'
import { Part } from '#web/components/card.tsx'
import { Cell, DataTable } from '#web/components/data-table.tsx'
import { SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema } from '#web/components/form.tsx'
import { SubmitButton } from '#web/components/form-foot.tsx'
import { Hint } from '#web/components/hint.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { useOfficeForm } from '#web/components/record-form.ts'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, reading } from '#web/lib/api.ts'
import { failureText, isAbout } from '#web/lib/api-problem.ts'
import { useInstantTexts, useProgramTimeZone } from '#web/lib/date-texts.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { optionsOf } from '#web/lib/options.ts'
import { useAction } from '#web/lib/query.ts'
import { dateOf, useNow } from '#web/lib/relative-time.ts'
import { useSettings } from '#web/lib/settings.tsx'
import storedData from './stored-data.json' with { type: 'json' }

type Overview = InferResponseType<typeof api.privacy.$get, 200>

const tell = (error: Error) => showToast('error', failureText('Failed to save', error))

/** RA 10173: what the data protection officer does. */
export function PrivacyTab({ expired }: { expired: ReactNode }) {
  const query = useQuery({
    queryKey: ['students', 'privacy'],
    queryFn: reading(api.privacy.$get, undefined),
  })
  return (
    <TabFrame query={query} failure="Failed to load the privacy page">
      <div className="flex flex-col gap-8">
        <div>
          <h1 className="text-2xl font-bold tracking-tight">Privacy</h1>
          <Hint className="mt-1">
            Requests, breaches and retention under the Data Privacy Act (RA 10173).
          </Hint>
        </div>
        <Loaded query={query} what="the privacy page" lines={6} className="h-12">
          {(overview) => (
            <>
              <Part title="Requests of students">
                <Requests {...overview} />
              </Part>
              <Part title="Data breaches">
                <Breaches breaches={overview.breaches} />
              </Part>
              <Part title="Records to archive">
                <ToArchive years={overview.toArchive} />
              </Part>
              <Part title="Records to delete">{expired}</Part>
            </>
          )}
        </Loaded>
        <Part title="What is stored">
          <DataTable caption="Stored data, where and why" heads={['What', 'Where', 'Why', 'Until']}>
            {storedData.map(({ what, where, why, until }) => (
              <Row key={what} cells={[what, where, why, until]} />
            ))}
          </DataTable>
        </Part>
      </div>
    </TabFrame>
  )
}

function Row({ cells }: { cells: readonly ReactNode[] }) {
  return (
    <tr>
      {cells.map((cell, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
        <Cell key={column} className="min-w-36 align-top! wrap-anywhere">
          {cell}
        </Cell>
      ))}
    </tr>
  )
}

const outcomeNames = { granted: 'Granted', refused: 'Refused', withdrawn: 'Withdrawn by the student' }

function Requests({ requests, today }: Pick<Overview, 'requests' | 'today'>) {
  // The request of a student below 18, which waits for the guardian.
  const [waiting, setWaiting] = useState<string | null>(null)
  const close = useAction({
    topics: ['students', 'requests'],
    mutationFn: ({ id, ...json }: { id: string; outcome: 'granted' | 'refused'; guardianAgreed?: boolean }) =>
      callApi(api.privacy.requests[':id'].close.$post({ param: { id }, json })),
    onSuccess: () => setWaiting(null),
    onError(error, { id, guardianAgreed }) {
      if (isAbout(error, 'guardianAgreed')) setWaiting(id)
      else if (!guardianAgreed) tell(error)
    },
  })
  const empty = { kind: 'access', reference: '', receivedOn: today }
  const form = useOfficeForm({
    topics: ['students'],
    values: empty,
    problemsOf: (values) => problemsOfSchema(requestSchema, values),
    send: (values) => callApi(api.privacy.requests.$post({ json: requestSchema.parse(values) })),
    done: 'Request added',
    onDone: () => form.form.reset(empty),
    whatFailed: 'Failed to add the request',
  })
  return (
    <>
      <Form form={form} label="New request" isGuarded={false}>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(12rem,100%),1fr))] items-start gap-4">
          <SelectField
            {...form.field('kind')}
            label="Request"
            density="compact"
            options={optionsOf(requestKindNames, requestKinds)}
          />
          <TextField
            {...form.field('reference')}
            label="Reference code"
            hint="Don’t enter a name: requests are kept after the record is deleted."
            density="compact"
            autoComplete="off"
            required
          />
          <TextField
            {...form.field('receivedOn')}
            type="date"
            max={today}
            label="Received on"
            density="compact"
            required
          />
        </div>
        <SubmitButton form={form} size="sm" label="Add request" />
      </Form>
      <QuestionModal
        title="Did you speak with the guardian?"
        thing={waiting}
        action={close}
        isDangerous={false}
        words={() => ({ confirm: 'Granted: the guardian agrees', busy: 'Saving…' })}
        onConfirm={(id) => close.run({ id, outcome: 'granted', guardianAgreed: true })}
        onClose={() => setWaiting(null)}
      >
        The student is below 18. Speak with the guardian of record first.
      </QuestionModal>
      <Hint>Answer each request within {requestDays} days.</Hint>
      {requests.length > 0 && (
        <DataTable
          caption="Requests of students, newest first"
          heads={['Request', 'Reference', 'Received', 'Due', 'State']}
        >
          {requests.map(({ id, kind, reference, receivedOn, dueOn, closedOn, outcome }) => (
            <Row
              key={id}
              cells={[
                requestKinds[kind],
                reference,
                dateOf(receivedOn),
                <span key="due" className="flex flex-wrap gap-2">
                  {dateOf(dueOn)}
                  {closedOn === null && dueOn < today && <Badge tone="danger">Overdue</Badge>}
                </span>,
                closedOn ? (
                  `${outcomeNames[outcome ?? 'refused']}, ${dateOf(closedOn)}`
                ) : (
                  <span key="close" className="flex gap-2">
                    {(['granted', 'refused'] as const).map((choice) => (
                      <SmallButton
                        key={choice}
                        disabled={close.isPending}
                        onClick={() => close.run({ id, outcome: choice })}
                      >
                        {choice === 'granted' ? 'Granted' : 'Refused'}
                      </SmallButton>
                    ))}
                  </span>
                ),
              ]}
            />
          ))}
        </DataTable>
      )}
    </>
  )
}

function Breaches({ breaches }: Pick<Overview, 'breaches'>) {
  const timeZone = useProgramTimeZone()
  const bodyOf = ({
    noticedAt,
    people,
    ...texts
  }: Record<'noticedAt' | 'people' | 'happened' | 'data' | 'measures', string>) => ({
    ...texts,
    noticedAt: instantOfLocal(noticedAt, timeZone)?.toISOString() ?? '',
    people: people.trim() === '' ? Number.NaN : Number(people),
  })
  const empty = { people: '', happened: '', data: '', measures: '' }
  const form = useOfficeForm({
    topics: ['students'],
    values: { ...empty, noticedAt: localTimeOf(new Date(), timeZone) },
    problemsOf: (values) => problemsOfSchema(breachSchema, bodyOf(values)),
    send: (values) => callApi(api.privacy.breaches.$post({ json: bodyOf(values) })),
    done: 'Breach recorded',
    onDone: () => form.form.reset({ ...empty, noticedAt: localTimeOf(new Date(), timeZone) }),
    whatFailed: 'Failed to record the breach',
  })
  return (
    <>
      <Hint>The National Privacy Commission and the people affected must be notified within 72 hours.</Hint>
      <details className="rounded-box border bg-card px-4 shadow-card">
        <summary className="min-h-11 cursor-pointer content-center font-semibold">Record a breach</summary>
        <div className="pb-4">
          <Form form={form} label="New breach" isGuarded={false}>
            <div className="grid items-start gap-4 sm:grid-cols-2">
              <TextField
                {...form.field('noticedAt')}
                type="datetime-local"
                label="Noticed at"
                density="compact"
                required
              />
              <TextField
                {...form.field('people')}
                inputMode="numeric"
                label="People concerned"
                density="compact"
                required
              />
              <TextAreaField {...form.field('happened')} label="What happened" required />
              <TextAreaField {...form.field('data')} label="Data that may be involved" required />
              <TextAreaField {...form.field('measures')} label="What was done" required />
            </div>
            <SubmitButton form={form} size="sm" label="Record breach" />
          </Form>
        </div>
      </details>
      {breaches.map((breach) => (
        <BreachCard key={breach.id} breach={breach} />
      ))}
    </>
  )
}

const audiences = [
  { whom: 'commission', at: 'commissionAt', label: 'National Privacy Commission' },
  { whom: 'people', at: 'peopleAt', label: 'People concerned' },
] as const

const hourMs = 60 * 60_000

function BreachCard({ breach }: { breach: Overview['breaches'][number] }) {
  const { momentOf } = useInstantTexts()
  const { schoolName } = useSettings()
  const note = useActionWithToast({
    topics: ['students'],
    mutationFn: (whom: (typeof audiences)[number]['whom']) =>
      callApi(api.privacy.breaches[':id'].told.$post({ param: { id: breach.id }, json: { whom } })),
    whatFailed: 'Failed to save',
  })
  const due = breachDue(breach.noticedAt)
  const hoursLeft = Math.floor((due.getTime() - useNow(breach).getTime()) / hourMs)
  const isOpen = audiences.some(({ at }) => breach[at] === null)
  const noticed = momentOf(breach.noticedAt)
  return (
    <article className="flex flex-col gap-3 rounded-box border bg-card p-4 shadow-card">
      <p className="flex flex-wrap items-center gap-2 font-semibold">
        Noticed {noticed}
        {isOpen && (
          <Badge tone={hoursLeft < 24 ? 'danger' : 'warning'}>
            {hoursLeft < 0 ? 'Overdue' : `${countOf(hoursLeft, 'hour')} left`}
          </Badge>
        )}
        {isOpen && <span className="text-sm font-normal text-muted">until {momentOf(due.getTime())}</span>}
      </p>
      <ul className="flex flex-col gap-2">
        {audiences.map(({ whom, at, label }) => {
          const told = breach[at]
          return (
            <li key={whom} className="flex flex-wrap items-center gap-2 text-sm">
              {label}:{' '}
              {told ? (
                `notified ${momentOf(told)}`
              ) : (
                <SmallButton disabled={note.isPending} onClick={() => note.run(whom)}>
                  Mark as notified
                </SmallButton>
              )}
            </li>
          )
        })}
      </ul>
      <TextAreaField
        name={`notice-${breach.id}`}
        label="Text of the notice"
        rows={8}
        readOnly
        value={breachNotice(breach, { noticed, schoolName })}
      />
    </article>
  )
}

function ToArchive({ years }: { years: Overview['toArchive'] }) {
  return (
    <>
      <Hint>
        Training for these academic years ended long ago. Review and archive their records. Archived records
        are deleted only when you confirm it, after the retention period in System Settings.
      </Hint>
      {years.length === 0 ? (
        <p className="rounded-box bg-soft px-4 py-3 text-sm">Nothing to archive.</p>
      ) : (
        <ul className="divide-y rounded-box border">
          {years.map(({ academicYear, count }) => (
            <li
              key={academicYear}
              className="flex flex-wrap items-center justify-between gap-2 px-4 py-3 text-sm"
            >
              A.Y. {academicYear}: {countOf(count, 'active record')}
              <SmallLink to={tabPath('students', { academicYear })}>Review</SmallLink>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
