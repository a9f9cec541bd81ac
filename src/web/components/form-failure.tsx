import { comeIntoSight } from '#web/lib/focus.ts'
import { ErrorBanner } from './error-banner.tsx'

/** Why a form could not be saved, above its fields. Its button is below them: there it would not be seen. */
export function FormFailure({ message }: { message: string }) {
  return (
    <div ref={comeIntoSight} className="scroll-my-5">
      <ErrorBanner message={message} />
    </div>
  )
}
