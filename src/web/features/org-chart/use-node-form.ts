import { useRef, useState } from 'react'
import { type OrgNode, orgSentences } from '#shared/org-chart.ts'
import { useHeldSession } from '#web/components/held-session.ts'
import { useContentForm } from '#web/lib/content-form.ts'
import { sendForm } from '#web/lib/send-form.ts'
import { bodyOf, type NewNodeBasis, type NodeValues, problemsOf, valuesOf } from './node-form-values.ts'

/** The node that a save changes, at the version that it starts from; null adds a new one. */
type Target = Pick<OrgNode, 'id' | 'version'> | null

interface NodeFormOptions {
  /** As the node was when the form was opened; null for a new one. */
  held: OrgNode | null
  /** What a new one begins with. */
  basis: NewNodeBasis
  onSaved: (saved: { id: string; name: string }) => void
}

/** The form of a position: its values, its rules, and how it is sent. */
export function useNodeForm({ held, basis, onSaved }: NodeFormOptions) {
  const target = useRef<Target>(held)
  const [seen] = useState(() => valuesOf(held, basis))
  const form = useContentForm<NodeValues, { id: string; name: string }>({
    initial: seen,
    problemsOf,
    send(values, onProgress) {
      const to = target.current
      const common = { body: bodyOf(values, to && seen), read: savedOf, onProgress }
      return to === null
        ? sendForm({ ...common, method: 'POST', path: '/api/org-chart/nodes' })
        : sendForm({
            ...common,
            method: 'PATCH',
            path: `/api/org-chart/nodes/${to.id}`,
            headers: { 'If-Match': `"${to.version}"` },
          })
    },
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
  if (typeof answer !== 'object' || answer === null || !('id' in answer) || !('name' in answer)) {
    return undefined
  }
  const { id, name } = answer
  return typeof id === 'string' && typeof name === 'string' ? { id, name } : undefined
}
