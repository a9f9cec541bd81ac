import { useEffect, useState } from 'react'
import type { Called } from '#shared/attendance/attendance-response.ts'
import { type Call, callLimits } from '#shared/attendance/calls.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { failureText } from '#web/lib/api-problem.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { newKey } from '#web/lib/older-browsers.ts'
import { useAction, useReadAgain } from '#web/lib/query.ts'
import { isUnavailable } from '#web/lib/stale-data.ts'
import { abortable, runAfter } from '#web/lib/timers.ts'
import { dropKeptCalls, keepCalls } from './kept-calls.ts'

/** The name stays with the call: the section may be taken away meanwhile. */
interface NamedSection {
  id: string
  name: string
}

export type NewCall = Omit<Call, 'id' | 'onlyEmpty'> &
  Partial<Pick<Call, 'onlyEmpty'>> & {
    /** The section whose roll was called, where a queue is for several. */
    section?: NamedSection
    /** The version of the stored call that was on the screen, null for none. */
    seen?: number | null
    /** When it was made, of a call that may be sent later. */
    calledAt?: string
  }

export type WaitingCall = NewCall & Pick<Call, 'id'>

export type CellCall = Pick<NewCall, 'state' | 'minutes' | 'ground'>

export const emptyCall: CellCall = { state: null, minutes: null, ground: '' }

export type CallQueue = ReturnType<typeof useCallQueue>

/** Undefined in a queue for one list. */
type SectionId = string | undefined

const callKey = ({ dayId, studentId }: Pick<Called, 'dayId' | 'studentId'>) => `${dayId} ${studentId}`

// The pause after a call, in ms: calls that are made together are one entry in the trail.
const pauseMs = 400
// The pause without a network, in ms. The browser may not notice that it is back.
const retryMs = 10_000

interface KeptQueue {
  /** The account whose calls the phone keeps until they are sent. */
  account: string
  /** What an earlier page left there. */
  calls: readonly WaitingCall[]
}

/**
 * Calls that are sent a moment after they are made. A failure keeps them; sent again with their ids they are the same
 * calls.
 * @param post sends calls of one section
 * @param kept for calls that outlive the page, and are sent by themselves when the network is back
 */
export function useCallQueue(
  post: (calls: readonly WaitingCall[], sectionId: SectionId) => Promise<{ left: string[] }>,
  kept?: KeptQueue,
) {
  const [waiting, setWaiting] = useState<readonly WaitingCall[]>(kept?.calls ?? [])
  const [isKept, setKept] = useState(kept !== undefined)
  const [sent, setSent] = useState(0)
  // What a kept queue does without a network.
  const [cut, setCut] = useState<'pausing' | 'trying' | null>(null)
  // Why calls of a section were not saved, by its id. They wait for the user, and keep no other section's from being sent.
  const [refused, setRefused] = useState<ReadonlyMap<SectionId, Error>>(new Map())
  // The students whose calls were not taken: somebody else had called, or the student was moved.
  const [left, setLeft] = useState<readonly string[]>([])
  const readAgain = useReadAgain('attendance')
  const sending = useAction({
    topics: ['attendance'],
    async mutationFn(calls: readonly WaitingCall[]) {
      const answer = await post(calls, calls[0]?.section?.id)
      // What was called is on the screen before the waiting calls are forgotten.
      await readAgain()
      return answer
    },
    onSuccess(answer, calls) {
      setCut(null)
      const leftIds = new Set(answer.left)
      const leftNow = calls.filter(({ id }) => leftIds.has(id)).map(({ studentId }) => studentId)
      setLeft((before) => [...new Set([...before, ...leftNow])])
      setSent((before) => before + calls.length - leftNow.length)
      const ids = new Set(calls.map(({ id }) => id))
      setWaiting((now) => now.filter(({ id }) => !ids.has(id)))
      if (kept) void dropKeptCalls(calls)
    },
    onError(error, calls) {
      const isCut = kept !== undefined && isUnavailable(error)
      setCut(isCut ? 'pausing' : null)
      if (!isCut) setRefused((now) => new Map(now).set(calls[0]?.section?.id, error))
    },
  })
  const { isPending, run } = sending
  const next = waiting.find(({ section }) => !refused.has(section?.id))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `run` and `next` are others in each render
  useEffect(() => {
    if (!next || isPending || cut === 'pausing') return
    const ofOne = waiting.filter(({ section }) => section?.id === next.section?.id)
    return runAfter(pauseMs, () => run(ofOne.slice(0, callLimits.atOnce)))
  }, [waiting, refused, isPending, cut])
  useEffect(() => {
    if (cut !== 'pausing') return
    return abortable(({ signal }) => {
      const tryAgain = () => setCut('trying')
      window.addEventListener('online', tryAgain, { signal })
      signal.addEventListener('abort', runAfter(retryMs, tryAgain))
    })
  }, [cut])

  const forget = (sectionId: SectionId) =>
    setRefused((now) => new Map([...now].filter(([id]) => id !== sectionId)))
  return {
    /** The last waiting call of each cell. */
    waiting: new Map(waiting.map((call) => [callKey(call), call] as const)),
    /** The calls of each section that were not saved. */
    failures: [...refused].flatMap(([sectionId, error]) => {
      const calls = waiting.filter(({ section }) => section?.id === sectionId)
      return calls[0] ? [{ sectionId, error, count: calls.length, name: calls[0].section?.name }] : []
    }),
    left,
    /** How many were sent since the page was opened. */
    sent,
    /** Whether the network is away, of a kept queue. */
    isCut: cut !== null,
    /** Whether the phone has what waits: then the page may be left. */
    isKept,
    add(calls: readonly NewCall[]) {
      setLeft([])
      const cells = new Set(calls.map(callKey))
      const added = calls.map((call) => ({ ...call, id: newKey() }))
      const isReplaced = (call: WaitingCall) => cells.has(callKey(call))
      const withAdded = (now: readonly WaitingCall[]) => [
        ...now.filter((call) => !isReplaced(call)),
        ...added,
      ]
      setWaiting(withAdded)
      if (kept) void keepCalls(kept.account, withAdded(waiting), waiting.filter(isReplaced)).then(setKept)
    },
    sendAgain: forget,
    discard(sectionId: SectionId) {
      const isOther = ({ section }: WaitingCall) => section?.id !== sectionId
      if (kept) void dropKeptCalls(waiting.filter((call) => !isOther(call)))
      setWaiting((now) => now.filter(isOther))
      forget(sectionId)
    },
  }
}

/** A call as it is stored: a facilitator doesn't read the ground. */
export type StoredCall = Omit<Called, 'ground'> & Partial<Pick<Called, 'ground'>>

/** Reads what is shown of a cell: the call that waits, else the stored one. */
export function shownCalls({ waiting }: CallQueue, calls: readonly StoredCall[]) {
  const stored = new Map<string, CellCall>(calls.map((call) => [callKey(call), { ...emptyCall, ...call }]))
  return (dayId: string, studentId: string): NewCall => {
    const cell = { dayId, studentId }
    const { state, minutes, ground } = waiting.get(callKey(cell)) ?? stored.get(callKey(cell)) ?? emptyCall
    return { dayId, studentId, state, minutes, ground }
  }
}

/** Calls that were refused wait here until they are sent again or discarded. */
function RefusedCalls({ queue }: { queue: CallQueue }) {
  return queue.failures.map(({ sectionId, error, count, name }) => (
    <div key={sectionId ?? ''} className="grid gap-2">
      <ErrorBanner
        message={failureText(`${countOf(count, 'call')}${name ? ` of ${name}` : ''} not saved`, error)}
      />
      <div className="flex gap-2">
        <Button size="sm" onClick={() => queue.sendAgain(sectionId)}>
          Try again
        </Button>
        <SmallButton onClick={() => queue.discard(sectionId)}>Discard</SmallButton>
      </div>
    </div>
  ))
}

interface QueueBannerProps {
  queue: CallQueue
  /** Says that calls were left out. */
  leftText: (studentIds: readonly string[]) => string
}

/** What becomes of the calls of a page. */
export function QueueBanner({ queue, leftText }: QueueBannerProps) {
  const { waiting, left } = queue
  return (
    <>
      <RefusedCalls queue={queue} />
      <p role="status" className={left.length > 0 ? 'text-sm text-muted' : 'sr-only'}>
        {left.length > 0 && `${leftText(left)} `}
        {waiting.size > 0 ? 'Saving…' : 'Saved'}
      </p>
    </>
  )
}

/**
 * What becomes of the calls of a phone: '38 sent · 4 waiting'.
 * @property isCut whether something else could not be read
 */
export function PhoneQueueBanner({ queue, leftText, ...seen }: QueueBannerProps & { isCut: boolean }) {
  const { waiting, left, sent, isKept } = queue
  const isCut = queue.isCut || seen.isCut
  const sentences = [
    left.length > 0 && leftText(left),
    isCut && (isKept ? cutTexts.kept : cutTexts.unkept),
    factsText(
      sent > 0 && `${figureText(sent)} sent`,
      waiting.size > 0 && `${figureText(waiting.size)} waiting`,
    ),
  ]
  return (
    <>
      <RefusedCalls queue={queue} />
      <p role="status" className={isCut ? 'text-sm font-semibold' : 'text-sm text-muted'}>
        {sentences.filter(Boolean).join(' ')}
      </p>
    </>
  )
}

const cutTexts = {
  kept: 'No network. Calls wait on this phone, and are sent when it is back.',
  unkept: 'No network. This browser keeps nothing: please leave this page open until the calls are sent.',
} as const
