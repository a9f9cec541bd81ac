import { useEffect, useState } from 'react'
import type { Called } from '#shared/attendance/attendance-response.ts'
import { type Call, callLimits } from '#shared/attendance/calls.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { failureText } from '#web/lib/api-problem.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { newKey } from '#web/lib/older-browsers.ts'
import { useAction, useReadAgain } from '#web/lib/query.ts'
import { runAfter } from '#web/lib/timers.ts'

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

/**
 * Calls that are sent a moment after they are made. A failure keeps them; sent again with their ids they are the same
 * calls.
 * @param post sends calls of one section
 */
export function useCallQueue(
  post: (calls: readonly WaitingCall[], sectionId: SectionId) => Promise<{ left: number }>,
) {
  const [waiting, setWaiting] = useState<readonly WaitingCall[]>([])
  // Why calls of a section were not saved, by its id. They wait for the user, and keep no other section's from being sent.
  const [refused, setRefused] = useState<ReadonlyMap<SectionId, Error>>(new Map())
  // How many calls were not taken: somebody else had called, or the student was moved.
  const [left, setLeft] = useState(0)
  const readAgain = useReadAgain('attendance')
  const sending = useAction({
    topics: ['attendance'],
    async mutationFn(calls: readonly WaitingCall[]) {
      const answer = await post(calls, calls[0]?.section?.id)
      // What was called is on the screen before the waiting calls are forgotten.
      await readAgain()
      return answer
    },
    onSuccess(answer, sent) {
      setLeft((before) => before + answer.left)
      const ids = new Set(sent.map(({ id }) => id))
      setWaiting((now) => now.filter(({ id }) => !ids.has(id)))
    },
    onError: (error, sent) => setRefused((now) => new Map(now).set(sent[0]?.section?.id, error)),
  })
  const { isPending, run } = sending
  const next = waiting.find(({ section }) => !refused.has(section?.id))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `run` and `next` are others in each render
  useEffect(() => {
    if (!next || isPending) return
    const ofOne = waiting.filter(({ section }) => section?.id === next.section?.id)
    return runAfter(pauseMs, () => run(ofOne.slice(0, callLimits.atOnce)))
  }, [waiting, refused, isPending])

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
    add(calls: readonly NewCall[]) {
      setLeft(0)
      const cells = new Set(calls.map(callKey))
      const added = calls.map((call) => ({ ...call, id: newKey() }))
      setWaiting((now) => [...now.filter((call) => !cells.has(callKey(call))), ...added])
    },
    sendAgain: forget,
    discard(sectionId: SectionId) {
      setWaiting((now) => now.filter(({ section }) => section?.id !== sectionId))
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

interface QueueBannerProps {
  queue: CallQueue
  /** Says that calls were left out. */
  leftText: (count: number) => string
}

/** Calls that could not be saved wait here. */
export function QueueBanner({ queue, leftText }: QueueBannerProps) {
  const { failures, waiting, left } = queue
  return (
    <>
      {failures.map(({ sectionId, error, count, name }) => (
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
      ))}
      <p role="status" className={left > 0 ? 'text-sm text-muted' : 'sr-only'}>
        {left > 0 && `${leftText(left)} `}
        {waiting.size > 0 ? 'Saving…' : 'Saved'}
      </p>
    </>
  )
}
