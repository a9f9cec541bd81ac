import { useEffect, useEffectEvent, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { StudentRecord } from '#shared/student.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { defaultChoices, type MergeChoices, mergeOf, type Pair } from './merge-choices.ts'

/** The records that may be one person. */
interface Reading {
  student: StudentRecord
  others: readonly StudentRecord[]
}

/** What is known of somebody's duplicates. */
type State = { is: 'loading' } | { is: 'failed'; sentence: string } | ({ is: 'read' } & Reading)

async function readDuplicates(id: string, signal?: AbortSignal): Promise<Reading> {
  const options = signal ? { init: { signal } } : {}
  const [student, { items }] = await Promise.all([
    callApi(api.students[':id'].$get({ param: { id } }, options)),
    callApi(api.students[':id'].duplicates.$get({ param: { id } }, options)),
  ])
  return { student, others: items }
}

/** The comparison of one student's record with those that may be the same person, and its two ends. */
export function useDuplicates(id: string, onClose: () => void) {
  const { revalidate } = useRevalidator()
  const [state, setState] = useState<State>({ is: 'loading' })
  const [shown, setShown] = useState(0)
  const [decided, setDecided] = useState<{ other: string; choices: MergeChoices } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function load(signal?: AbortSignal): Promise<Reading | null> {
    try {
      const reading = await readDuplicates(id, signal)
      setState({ is: 'read', ...reading })
      return reading
    } catch (error) {
      if (!signal?.aborted) setState({ is: 'failed', sentence: sentenceOf(error) })
      return null
    }
  }

  const loadFirst = useEffectEvent((signal: AbortSignal) => void load(signal))
  // biome-ignore lint/correctness/useExhaustiveDependencies: another student is another reading
  useEffect(() => {
    const controller = new AbortController()
    loadFirst(controller.signal)
    return () => controller.abort()
  }, [id])

  const others = state.is === 'read' ? state.others : []
  const other = others[Math.min(shown, others.length - 1)]
  const pair: Pair | null = state.is === 'read' && other ? { left: state.student, right: other } : null
  const choices = pair && (decided?.other === other?.id && decided ? decided.choices : defaultChoices(pair))

  async function act(whatFailed: string, work: () => Promise<string>) {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      const message = await work()
      showToast({ type: 'success', message })
      void revalidate()
      // Others may be the same person, too; without any, or when this record was the one that went, it is done.
      const isOver = others.length < 2 || !(await load())
      if (isOver) onClose()
      setShown(0)
    } catch (error) {
      setFailure(`${whatFailed}: ${sentenceOf(error)}`)
      if (error instanceof ApiProblem && ['conflict', 'not_found'].includes(error.problem.code)) await load()
    } finally {
      setBusy(false)
    }
  }

  return {
    state,
    others,
    pair,
    choices,
    failure,
    isBusy,
    /** Which of the others is compared. */
    shown: other?.id ?? null,

    show(otherId: string) {
      setFailure(null)
      setShown(
        Math.max(
          0,
          others.findIndex((record) => record.id === otherId),
        ),
      )
    },

    choose(next: MergeChoices) {
      if (other) setDecided({ other: other.id, choices: next })
    },

    retry() {
      setState({ is: 'loading' })
      void load()
    },

    async merge() {
      if (!pair || !choices) return
      await act('Failed to merge the records', async () => {
        await callApi(api.students.merge.$post({ json: mergeOf(choices, pair) }))
        return 'Records merged successfully'
      })
    },

    async dismiss() {
      if (!pair) return
      await act('Failed to mark them as different people', async () => {
        await callApi(api.students.duplicates.dismiss.$post({ json: { ids: [pair.left.id, pair.right.id] } }))
        return 'Marked as different people'
      })
    },
  }
}
