import { comeIntoSight } from '#web/lib/focus.ts'
import { ErrorBanner } from './error-banner.tsx'

export function FormFailure({ message }: { message: string }) {
  return (
    <div ref={comeIntoSight} className="scroll-my-5">
      <ErrorBanner message={message} />
    </div>
  )
}
