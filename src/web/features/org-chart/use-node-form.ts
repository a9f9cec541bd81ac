import { useRef, useState } from 'react'
import { type OrgNode, orgSentences } from '#shared/org-chart.ts'
import { useHeldSession } from '#web/components/held-session.ts'
import { useContentForm } from '#web/lib/content-form.ts'
import { type RecordTarget, sendRecord, sentId } from '#web/lib/send-record.ts'
import { bodyOf, type NewNodeBasis, type NodeValues, problemsOf, valuesOf } from './node-form-values.ts'

interface NodeFormOptions {
  /** As the node was when the form was opened; null for a new one. */
  held: OrgNode | null
  /** What a new one begins with. */
  basis: NewNodeBasis
  onSaved: (saved: { id: string; name: string }) => void
}

/** The form of a position: its values, its rules, and how it is sent. */
export function useNodeForm({ held, basis, onSaved }: NodeFormOptions) {
  const target = useRef<RecordTarget>(held)
  const [seen] = useState(() => valuesOf(held, basis))
  const form = useContentForm<NodeValues, { id: string; name: string }>({
    initial: seen,
    problemsOf,
    send: (values, onProgress) =>
      sendRecord({
        collection: '/api/org-chart/nodes',
        target: target.current,
        body: bodyOf(values, target.current && seen),
        read: savedOf,
        onProgress,
      }),
    onSaved,
  })
  useHeldSession(form.isDirty)

  return {
    ...form,
    /** It was deleted by somebody else while it was edited. */
    isGone: held !== null && form.failure?.sentence === orgSentences.missing,
    /** Saves what was changed here, whatever somebody else made of the rest. @param version that it has now */
    saveOver(version: number) {
      target.current = target.current && { ...target.current, version }
      void form.submit()
    },
    /** The photo in use is gone with the node; what was typed isn't. */
    saveAsNew() {
      target.current = null
      void form.submit()
    },
  }
}

export type NodeForm = ReturnType<typeof useNodeForm>

function savedOf(answer: unknown): { id: string; name: string } | undefined {
  const id = sentId(answer)
  const isNamed = typeof answer === 'object' && answer !== null && 'name' in answer
  return id !== undefined && isNamed && typeof answer.name === 'string'
    ? { id, name: answer.name }
    : undefined
}
