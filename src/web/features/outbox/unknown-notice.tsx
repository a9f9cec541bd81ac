import { ButtonLink } from '#web/components/button.tsx'
import { countOf } from '#web/lib/count-text.ts'
import { unknownExplanation } from './message-texts.ts'
import { outboxPath } from './outbox-address.ts'

interface UnknownNoticeProps {
  count: number
  /** Whether exactly these are listed below. */
  isFiltered: boolean
}

/** Tells of messages that somebody must decide about, above the list. */
export function UnknownNotice({ count, isFiltered }: UnknownNoticeProps) {
  return (
    <section
      aria-label="Messages to decide about"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-box bg-warning-soft px-4 py-3 text-sm text-warning"
    >
      <div className="min-w-64 flex-1">
        <p className="font-semibold">
          {count === 1
            ? 'Of 1 message nobody knows whether it arrived.'
            : `Of ${countOf(count, 'message')} nobody knows whether they arrived.`}
        </p>
        <p className="mt-1 text-fg">{unknownExplanation}</p>
      </div>
      <ButtonLink
        variant="outline"
        size="sm"
        className="max-md:min-h-11"
        to={isFiltered ? outboxPath() : outboxPath({ state: 'unknown' })}
      >
        {isFiltered ? 'Show all messages' : 'Show them'}
      </ButtonLink>
    </section>
  )
}
