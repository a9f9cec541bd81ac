import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarCheck, Phone, Users } from 'lucide-react'
import { parseAsString } from 'nuqs/server'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { rollMessages } from '#shared/attendance/calls.ts'
import type { Roll, RollSections } from '#shared/attendance/roll-response.ts'
import { studentName } from '#shared/students/student-name.ts'
import { IconButton } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { SelectField } from '#web/components/field.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { Loaded, LoadedPart, TabFrame } from '#web/components/tab-frame.tsx'
import { UnsavedGuard } from '#web/components/unsaved-prompt.tsx'
import { useAccount } from '#web/lib/account.ts'
import { createAddress, parseAsId } from '#web/lib/address.ts'
import { api, callApi } from '#web/lib/api.ts'
import { useInstantTexts, useProgramTimeZone } from '#web/lib/date-texts.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { rollPath } from '#web/lib/next-path.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { isBehind } from '#web/lib/query.ts'
import { deferSessionEnd, leaveUnlessDeferred } from '#web/lib/session-end.ts'
import { isUnavailable } from '#web/lib/stale-data.ts'
import { abortable } from '#web/lib/timers.ts'
import { clockTimeOf, dayName, shortDayOf } from './attendance-data.ts'
import {
  type CallQueue,
  type NewCall,
  PhoneQueueBanner,
  useCallQueue,
  type WaitingCall,
} from './call-queue.tsx'
import { readKeptCalls } from './kept-calls.ts'
import { canOpenOffline, forgetKeptRoll, keepPage } from './kept-roll.ts'
import { correctedTime } from './phone-clock.ts'
import { PhoneNumbersOf } from './phone-numbers.tsx'
import { DayField, PhoneRoll } from './phone-roll.tsx'
import { noteNames, rollQuery, sectionsQuery, seedRoll } from './roll-data.ts'

const rollAddress = createAddress(rollPath, { section: parseAsId, day: parseAsString })

const mostNamed = 10

/** Several things may keep a call off a facilitator's roll. @param names of the rolls that this page had, by student */
function leftText(ids: readonly string[], names: ReadonlyMap<string, string>): string {
  const known = ids.flatMap((id) => names.get(id) ?? []).slice(0, mostNamed)
  const others = ids.length - known.length
  const who = [
    ...known,
    ...(others > 0 ? [countOf(others, known.length > 0 ? 'other student' : 'student')] : []),
  ]
  return `${who.join('; ')} ${ids.length === 1 ? 'was' : 'were'} left out: called by somebody else meanwhile, or no longer on this roll.`
}

/** The one screen of a facilitator: the rolls of the sections that the account has. */
export function RollScreen() {
  const { id } = useAccount()
  const kept = useKept(id)
  const query = useQuery({ ...sectionsQuery(id), enabled: kept !== undefined })
  useEffect(endWithSession, [])
  const isUnread = query.error !== null && isUnavailable(query.error)
  return (
    <TabFrame
      query={query}
      failure={isUnread ? 'This phone has no list of today' : 'Failed to load your sections'}
    >
      <div className="mx-auto grid max-w-2xl gap-3">
        <h1 className="text-2xl font-bold tracking-tight">Roll</h1>
        <Loaded query={query} what="your sections" lines={6} className="h-14">
          {(own) => kept && <OwnSections {...own} kept={kept} isCut={isBehind({ state: query })} />}
        </Loaded>
      </div>
    </TabFrame>
  )
}

/** Brings what the phone keeps into the page. @returns the calls that an earlier page left there, once it is done */
function useKept(account: string): readonly WaitingCall[] | undefined {
  const client = useQueryClient()
  const timeZone = useProgramTimeZone()
  const [kept, setKept] = useState<readonly WaitingCall[]>()
  useEffect(
    () =>
      abortable(({ signal }) => {
        const read = async () => {
          const [calls] = await Promise.all([
            readKeptCalls<WaitingCall>(account),
            seedRoll(client, account, timeZone),
          ])
          if (!signal.aborted) setKept(calls)
        }
        void read()
      }),
    [client, account, timeZone],
  )
  return kept
}

/** When the session ends, the page is left once the phone has forgotten its lists. Calls that wait stay. */
function endWithSession() {
  const release = deferSessionEnd({
    onEnd: () => void forgetKeptRoll().finally(leave),
    onResume: () => undefined,
  })
  function leave() {
    release()
    leaveUnlessDeferred()
  }
  return () => void release()
}

interface OwnSectionsProps extends RollSections {
  /** The calls that an earlier page left on the phone. */
  kept: readonly WaitingCall[]
  /** Whether the list could not be read again. */
  isCut: boolean
}

function OwnSections({ items, seesPhoneNumbers, kept, isCut }: OwnSectionsProps) {
  const { id: account } = useAccount()
  const navigate = useNavigate()
  const { sectionName } = useLevelNames()
  const { section: wanted } = rollAddress.read(useLocation().search)
  // Another section, or one that is taken away, keeps the calls that are on their way.
  const client = useQueryClient()
  // At first those of the lists that the phone kept: a list that is read since may lack who was moved.
  const [names] = useState(() => noteNames(client, new Map()))
  const queue = useCallQueue(
    (calls, id) => {
      noteNames(client, names)
      return sendCalls(account, calls, id)
    },
    { account, calls: kept },
  )
  // Sections that come or go meanwhile never put another roll under the finger.
  const [first] = useState(items[0]?.id)
  const opened = wanted ?? first ?? items[0]?.id
  const section = items.find(({ id }) => id === opened)
  const readiness = useReadiness(account, items)
  return (
    <>
      <PhoneQueueBanner queue={queue} leftText={(ids) => leftText(ids, names)} isCut={isCut} />
      <UnsavedGuard
        isUnsaved={queue.waiting.size > 0 && !queue.isKept}
        staysOpen={({ pathname }) => pathname === rollPath}
      />
      {items.length === 0 ? (
        <EmptyState icon={Users} title="You have no sections in this term.">
          Please ask your NSTP office to add them to your account.
        </EmptyState>
      ) : (
        <SelectField
          name="section"
          label="Section"
          {...(!section && { placeholder: 'Choose a section' })}
          options={items.map((one) => ({ value: one.id, label: sectionName(one) }))}
          value={section?.id ?? ''}
          onChange={({ target }) =>
            void navigate(rollAddress.to({ section: target.value }), { preventScrollReset: true })
          }
        />
      )}
      {section && (
        <SectionRoll
          key={section.id}
          sectionId={section.id}
          queue={queue}
          seesPhoneNumbers={seesPhoneNumbers}
        />
      )}
      {!section && items.length > 0 && <EmptyState icon={Users} title={rollMessages.section} />}
      <p className="text-sm text-muted">{readiness}</p>
    </>
  )
}

const readinessTexts = {
  opens: 'Until midnight this page opens without a network on this phone.',
  online:
    'This page opens with a network only: its address is not https, or this browser can’t keep it. Calls wait on this phone.',
} as const

/** Keeps page and rolls on the phone. @returns whether the page opens without a network from now on, in words */
function useReadiness(account: string, sections: RollSections['items']): string {
  const client = useQueryClient()
  const [opens, setOpens] = useState<boolean>()
  useEffect(() => void keepPage().then(setOpens), [])
  useEffect(() => {
    if (!canOpenOffline()) return
    for (const { id } of sections)
      void client.prefetchQuery({ ...rollQuery(account, id), staleTime: Number.POSITIVE_INFINITY })
  }, [client, account, sections])
  if (opens === undefined) return ''
  return opens ? readinessTexts.opens : readinessTexts.online
}

interface SectionRollProps {
  sectionId: string
  queue: CallQueue
  seesPhoneNumbers: boolean
}

function SectionRoll({ sectionId, queue, seesPhoneNumbers }: SectionRollProps) {
  const { id: account } = useAccount()
  const query = useQuery(rollQuery(account, sectionId))
  const { sectionName } = useLevelNames()
  const { timeOf } = useInstantTexts()
  return (
    <>
      {isBehind({ state: query }) && (
        <p className="text-sm text-muted">
          This list is of {timeOf(new Date(query.dataUpdatedAt).toISOString())}.
        </p>
      )}
      <LoadedPart query={query} what="the roll" lines={8} className="h-14">
        {(roll) => (
          <OpenRoll
            roll={roll}
            queue={queueOf(queue, roll, sectionName(roll.section))}
            seesPhoneNumbers={seesPhoneNumbers}
          />
        )}
      </LoadedPart>
    </>
  )
}

/** Calls of the office that are later than what this roll shows stay: each call names what it was made over. */
function queueOf(queue: CallQueue, { section: { id }, calls: stored }: Roll, name: string): CallQueue {
  const section = { id, name }
  const seenOf = ({ dayId, studentId }: NewCall) =>
    stored.find((call) => call.dayId === dayId && call.studentId === studentId)?.version ?? null
  return {
    ...queue,
    add: (calls) =>
      queue.add(calls.map((call) => ({ ...call, section, seen: seenOf(call), calledAt: correctedTime() }))),
  }
}

/** Nobody is excused here, so no call has a ground. A line that has died is given up soon: sent again, calls are the same. */
function sendCalls(account: string, calls: readonly WaitingCall[], id = '') {
  const sent = calls.flatMap(({ ground: _none, section: _inPath, state, seen = null, ...call }) =>
    state === 'excused' ? [] : [{ ...call, state, seen }],
  )
  return callApi(api.roll[':id'].$post({ param: { id }, json: { account, calls: sent } }))
}

type RollDay = Roll['days'][number]
type RollStudent = Roll['students'][number]

interface OpenRollProps {
  roll: Roll
  queue: CallQueue
  seesPhoneNumbers: boolean
}

/** 'Sat, Sep 12, 2026 · Drill · 7:30 AM · make-up day'. */
function nameOf({ startsAt, isMakeUp, isClosed, ...day }: RollDay): string {
  return factsText(
    dayName(day),
    clockTimeOf(startsAt),
    isMakeUp && 'make-up day',
    isClosed && 'closed by the office',
  )
}

/** Opens the one ordinary day of today, by the server's clock. Any other day is called by choice. */
function preselected(days: readonly RollDay[]): RollDay | undefined {
  const ordinary = days.filter(({ isToday, isMakeUp }) => isToday && !isMakeUp)
  return ordinary.length === 1 ? ordinary[0] : undefined
}

/** Says what must not be overlooked about a day. */
function noteOf({ heldOn, isToday, isMakeUp, isClosed }: RollDay): string {
  return [
    !isToday && `An earlier day: ${shortDayOf(heldOn)}.`,
    isMakeUp && 'A make-up day: it counts only for who attends it.',
    isClosed && 'Closed by the office: you can still correct it today.',
  ]
    .filter(Boolean)
    .join(' ')
}

interface NoDayProps {
  /** Whether the day of the address isn't on the list. */
  isGone: boolean
  ofToday: readonly RollDay[]
}

function NoDay({ isGone, ofToday }: NoDayProps) {
  if (isGone) {
    return (
      <EmptyState icon={CalendarCheck} title="This day is not on your list.">
        The office may have closed or cancelled it. Please choose another one.
      </EmptyState>
    )
  }
  if (ofToday.length === 0) {
    return (
      <EmptyState icon={CalendarCheck} title="No training day today.">
        You can choose an earlier day that the office has not closed.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={CalendarCheck}
      title={ofToday.length === 1 ? 'Only a make-up day today.' : 'Several training days today.'}
    >
      Please choose the day whose attendance you call.
    </EmptyState>
  )
}

function OpenRoll({
  roll: { section, days, students, calls, leftOut },
  queue,
  seesPhoneNumbers,
}: OpenRollProps) {
  const navigate = useNavigate()
  const { day: wanted } = rollAddress.read(useLocation().search)
  const [asked, setAsked] = useState<RollStudent | null>(null)
  if (days.length === 0) {
    return (
      <EmptyState icon={CalendarCheck} title="No training day today.">
        Earlier days that the office has closed are not shown.
      </EmptyState>
    )
  }
  const day = wanted === null ? preselected(days) : days.find(({ id }) => id === wanted)
  const note = day && noteOf(day)
  return (
    <>
      <DayField
        days={days}
        day={day}
        nameOf={nameOf}
        onDay={(id) =>
          void navigate(rollAddress.to({ section: section.id, day: id }), { preventScrollReset: true })
        }
      />
      {note && <p className="text-sm font-semibold">{note}</p>}
      {!day && <NoDay isGone={wanted !== null} ofToday={days.filter(({ isToday }) => isToday)} />}
      {day && (
        <p className="text-sm text-muted">
          Press “All present”, then tap each student who is not: once is absent, twice late, three times
          present again.
        </p>
      )}
      {day && (
        <PhoneRoll
          queue={queue}
          day={day}
          rows={students.map((student) => ({ student }))}
          calls={calls}
          isOn={() => true}
          textOf={({ student }) => factsText(student.studentId, student.course)}
          actionOf={({ student }) =>
            seesPhoneNumbers && (
              <IconButton
                label={`Phone numbers of ${studentName(student)}`}
                size="md"
                icon={Phone}
                className="h-auto! border bg-card"
                onClick={() => setAsked(student)}
              />
            )
          }
          mayCall
          mayExcuse={false}
        />
      )}
      {leftOut > 0 && (
        <p className="text-sm text-muted">
          {`${countOf(leftOut, 'student')} of this section ${leftOut === 1 ? 'is' : 'are'} not on the roll. Please ask the office.`}
        </p>
      )}
      <ModalOf thing={asked} onClose={() => setAsked(null)} size="sm" title={studentName}>
        {({ id }) => <PhoneNumbersOf key={id} studentId={id} />}
      </ModalOf>
    </>
  )
}
