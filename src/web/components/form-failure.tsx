import { scrollIntoSight } from '#web/lib/focus.ts'
import { ErrorBanner } from './error-banner.tsx'

export function FormFailure({ message }: { message: string }) {
  return (
    <div ref={scrollIntoSight} className="scroll-my-5">
      <ErrorBanner message={message} />
    </div>
  )
}
