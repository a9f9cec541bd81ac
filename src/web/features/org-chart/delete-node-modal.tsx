import { useState } from 'react'
import { type OrgNode, orgSentences } from '#shared/org-chart.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'

interface DeleteNodeModalProps {
  node: OrgNode
  onDeleted: () => void
  /** It wasn't deleted; the reason may be that the chart is another one by now. */
  onFailed: () => void
  onClose: () => void
}

/** Asks before a position is deleted, and says why it can't be. */
export function DeleteNodeModal({ node, onDeleted, onFailed, onClose }: DeleteNodeModalProps) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function remove() {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      await callApi(
        api['org-chart'].nodes[':id'].$delete({
          param: { id: node.id },
          header: { 'if-match': `"${node.version}"` },
        }),
      )
      showToast({ type: 'success', message: `${node.name} was deleted successfully!` })
      onDeleted()
    } catch (error) {
      setFailure(failureOf(error))
      setBusy(false)
      onFailed()
    }
  }

  return (
    <Modal
      open
      onClose={() => !isBusy && onClose()}
      title="Delete position"
      size="sm"
      footer={
        <>
          <Button variant="outline" size="sm" aria-disabled={isBusy} onClick={() => !isBusy && onClose()}>
            Cancel
          </Button>
          <Button variant="danger" size="sm" aria-disabled={isBusy} onClick={() => void remove()}>
            {isBusy ? 'Deleting…' : 'Delete'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="wrap-anywhere">
          Are you sure you want to delete <strong>{node.name}</strong>
          {node.title !== '' && `, ${node.title},`} from the organizational chart? This action cannot be
          undone.
        </p>
        {failure !== null && <ErrorBanner message={failure} />}
      </div>
    </Modal>
  )
}

/** A rule's own sentence says enough; of anything else, also what failed. */
function failureOf(error: unknown): string {
  const sentence = sentenceOf(error)
  const isRule = error instanceof ApiProblem && sentence === orgSentences.hasChildren
  return isRule ? sentence : `Failed to delete node: ${sentence}`
}
