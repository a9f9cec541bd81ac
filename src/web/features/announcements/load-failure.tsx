import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { testAccess } from './test-access.ts'

/**
 * In the place of a list that could not be read (spec §2, §8). Retry tests whether announcements can be read at
 * all, and reads the list again if so.
 */
export function LoadFailure({ message }: { message: string }) {
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)

  async function retry() {
    if (isBusy) return
    setBusy(true)
    setRefusal(null)
    try {
      const sentence = await testAccess()
      if (sentence === null) await revalidate()
      setRefusal(sentence)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div
      role="alert"
      className="flex flex-col items-center gap-3 rounded-box border border-danger bg-danger-soft px-6 py-10 text-center"
    >
      <TriangleAlert aria-hidden="true" className="size-8 text-danger" />
      <p className="font-semibold text-danger">{message}</p>
      {refusal !== null && (
        <>
          <p className="font-semibold text-danger">{refusal}</p>
          <p>There seems to be a connection issue. Please check your internet connection and try again.</p>
        </>
      )}
      <Button variant="outline" aria-disabled={isBusy} onClick={() => void retry()}>
        {isBusy ? 'Trying…' : 'Retry'}
      </Button>
    </div>
  )
}
