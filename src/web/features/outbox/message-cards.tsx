import { mailKindTexts, mailStateTexts } from '#shared/mail.ts'
import { Badge } from '#web/components/badge.tsx'
import { mailTones } from '#web/lib/mail-tones.ts'
import { MessageActions } from './message-actions.tsx'
import { MessageLink } from './message-link.tsx'
import type { MessageRowsProps } from './message-rows.ts'
import { messageNote, momentOfMessage } from './message-texts.ts'

/** Messages on a phone. */
export function MessageCards({ caption, items, busy, isOneBatch, texts, actions, onOpen }: MessageRowsProps) {
  return (
    <ul aria-label={caption} aria-busy={busy} className="flex flex-col gap-2">
      {items.map((item) => {
        const note = messageNote(item, texts)
        const when = momentOfMessage(item)
        return (
          <li key={item.id} className="flex flex-col gap-1 rounded-box border bg-card p-3 shadow-card">
            <MessageLink item={item} onOpen={onOpen} />
            {item.name !== '' && <p className="text-sm wrap-anywhere">{item.name}</p>}
            {!isOneBatch && <p className="line-clamp-2 text-sm wrap-anywhere">{item.subject}</p>}
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
              <Badge tone={mailTones[item.state]}>{mailStateTexts[item.state]}</Badge>
              {!isOneBatch && <span>{mailKindTexts[item.kind]}</span>}
              <time dateTime={when}>{texts.momentOf(when)}</time>
            </p>
            {note !== '' && <p className="text-sm wrap-anywhere text-muted">{note}</p>}
            <MessageActions item={item} actions={actions} className="mt-2" />
          </li>
        )
      })}
    </ul>
  )
}
