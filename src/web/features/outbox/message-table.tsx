import { type MailItem, mailKindTexts, mailStateTexts } from '#shared/mail.ts'
import { Badge } from '#web/components/badge.tsx'
import { Cell, DataTable, HeadCell } from '#web/components/data-table.tsx'
import { mailTones } from '#web/lib/mail-tones.ts'
import { MessageActions } from './message-actions.tsx'
import { MessageLink } from './message-link.tsx'
import type { MessageRowsProps } from './message-rows.ts'
import { messageNote, momentOfMessage } from './message-texts.ts'

/** Messages on a wide screen. */
export function MessageTable({ caption, items, busy, ...row }: MessageRowsProps) {
  return (
    <DataTable caption={caption} busy={busy}>
      <thead>
        <tr>
          <HeadCell className="w-1/2">{row.isOneBatch ? 'Recipient' : 'Recipient and subject'}</HeadCell>
          {!row.isOneBatch && <HeadCell>Kind</HeadCell>}
          <HeadCell className="w-1/2">State</HeadCell>
          <HeadCell>When</HeadCell>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <MessageRow key={item.id} item={item} {...row} />
        ))}
      </tbody>
    </DataTable>
  )
}

function MessageRow({
  item,
  isOneBatch,
  texts,
  actions,
  onOpen,
}: Omit<MessageRowsProps, 'caption' | 'items' | 'busy'> & { item: MailItem }) {
  const note = messageNote(item, texts)
  const when = momentOfMessage(item)
  return (
    <tr className="bg-card hover:bg-soft">
      <Cell className="min-w-56 align-top!">
        <MessageLink item={item} onOpen={onOpen} />
        {item.name !== '' && <p className="wrap-anywhere">{item.name}</p>}
        {!isOneBatch && <p className="line-clamp-2 wrap-anywhere text-muted">{item.subject}</p>}
      </Cell>
      {!isOneBatch && <Cell className="align-top! whitespace-nowrap">{mailKindTexts[item.kind]}</Cell>}
      <Cell className="min-w-56 align-top!">
        <Badge tone={mailTones[item.state]}>{mailStateTexts[item.state]}</Badge>
        {note !== '' && <p className="mt-1 wrap-anywhere text-muted">{note}</p>}
        <MessageActions item={item} actions={actions} className="mt-2" />
      </Cell>
      <Cell className="align-top! whitespace-nowrap">
        <time dateTime={when}>{texts.momentOf(when)}</time>
      </Cell>
    </tr>
  )
}
