import { UserCheck } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { useRevalidator } from 'react-router'
import type { StudentRecord } from '#shared/students/student.ts'
import { Button } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField } from '#web/components/field.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { Comparison, defaultChoices, type MergeChoices, mergeOf, type Pair } from './merge-comparison.tsx'

interface DuplicatesModalProps {
  id: string | null
  onClose: () => void
}

export function DuplicatesModal({ id, onClose }: DuplicatesModalProps) {
  // While the modal fades out it still shows what it showed.
  const [last, setLast] = useState(id)
  if (id !== null && id !== last) setLast(id)
  // The comparison knows what its buttons do; they stand in the modal's foot.
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  return (
    <Modal
      open={id !== null}
      onClose={onClose}
      title="Possible Duplicates"
      size="lg"
      footer={<div ref={setFoot} className="contents" />}
    >
      {last !== null && <Duplicates key={last} id={last} foot={foot} onClose={onClose} />}
    </Modal>
  )
}

interface DuplicatesProps {
  id: string
  foot: HTMLElement | null
  onClose: () => void
}

function Duplicates({ id, foot, onClose }: DuplicatesProps) {
  const duplicates = useDuplicates(id, onClose)
  const { state, others, pair, choices, failure, isBusy } = duplicates
  if (state.is === 'loading') return <ComparisonSkeleton />
  if (state.is === 'failed') return <ErrorBanner message={state.sentence} onRetry={duplicates.retry} />
  if (!pair || !choices) {
    return (
      <EmptyState
        icon={<UserCheck className="size-8" />}
        title="No other record looks like the same person."
        action={
          <Button variant="outline" size="sm" onClick={onClose}>
            Close
          </Button>
        }
      />
    )
  }
  return (
    <div className="grid gap-4">
      {others.length > 1 && (
        <SelectField
          name="compare-with"
          label={`Compare with one of ${others.length} records`}
          options={others.map(({ id: value, lastName, firstName, reference }) => ({
            value,
            label: `${lastName}, ${firstName} · ${reference}`,
          }))}
          value={pair.right.id}
          onChange={({ target }) => duplicates.show(target.value)}
        />
      )}
      <Comparison pair={pair} choices={choices} onChoose={duplicates.choose} />
      {foot &&
        createPortal(
          <>
            {failure && (
              <div className="basis-full">
                <ErrorBanner message={failure} />
              </div>
            )}
            <Button
              variant="outline"
              className="max-sm:flex-auto"
              disabled={isBusy}
              onClick={() => void duplicates.dismiss()}
            >
              These are different people
            </Button>
            <Button
              variant="danger"
              className="max-sm:flex-auto"
              disabled={isBusy}
              onClick={() => void duplicates.merge()}
            >
              {isBusy ? 'Saving…' : 'Merge records'}
            </Button>
          </>,
          foot,
        )}
    </div>
  )
}

function ComparisonSkeleton() {
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Loading the records</span>
      {['a', 'b', 'c', 'd'].map((line) => (
        <div key={line} aria-hidden="true" className="grid grid-cols-2 gap-2">
          <Skeleton className="col-span-2 h-4 w-28" />
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </div>
      ))}
    </div>
  )
}

interface Reading {
  student: StudentRecord
  others: readonly StudentRecord[]
}

type State = { is: 'loading' } | { is: 'failed'; sentence: string } | ({ is: 'read' } & Reading)

async function readDuplicates(id: string, signal?: AbortSignal): Promise<Reading> {
  const options = signal ? { init: { signal } } : {}
  const [student, { items }] = await Promise.all([
    callApi(api.students[':id'].$get({ param: { id } }, options)),
    callApi(api.students[':id'].duplicates.$get({ param: { id } }, options)),
  ])
  return { student, others: items }
}

function useDuplicates(id: string, onClose: () => void) {
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
