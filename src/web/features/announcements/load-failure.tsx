import { Megaphone, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { type AnnouncementCategory, announcementsPath } from '#shared/announcements/announcements.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { type ApiProblem, connectionProblem, problemOfResponse } from '#web/lib/api-problem.ts'

/** Spec §2, §8. Retry tests the access, then reads the list again. */
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

// In ms, as for the API's other calls.
const timeoutMs = 20_000

/**
 * Reads one announcement with plain `fetch`: the API's client might fail to load on a lost
 * connection, and a browser doesn't request a module twice. @returns null, or the sentence of spec
 * §8
 */
async function testAccess(): Promise<string | null> {
  try {
    const response = await fetch('/api/announcements?limit=1', { signal: AbortSignal.timeout(timeoutMs) })
    return response.ok ? null : accessMessage(await problemOfResponse(response))
  } catch (cause) {
    return accessMessage(connectionProblem(cause))
  }
}

export function accessMessage({ problem, message }: ApiProblem): string {
  return problem.status === 0 ? `Error during retry: ${message}` : `Cannot access announcements: ${message}`
}

/** Spec §2. */
export function NoAnnouncements({ category }: { category: AnnouncementCategory | null }) {
  const icon = <Megaphone className="size-8" />
  if (category === null) return <EmptyState icon={icon} title="No announcements available at this time." />
  return (
    <EmptyState
      icon={icon}
      title={`No announcements in the ${category} category at this time.`}
      action={
        <ButtonLink variant="outline" to={announcementsPath} preventScrollReset>
          All announcements
        </ButtonLink>
      }
    />
  )
}
