import type { MailItem } from '#shared/mail.ts'
import { AddressText } from '#web/components/address-text.tsx'

interface MessageLinkProps {
  item: MailItem
  onOpen: (id: string) => void
}

/** The recipient, whose press opens the message. */
export function MessageLink({ item: { id, recipient, subject }, onOpen }: MessageLinkProps) {
  return (
    <button
      type="button"
      id={`message-${id}`}
      aria-label={`Open the e-mail to ${recipient}: ${subject}`}
      className="min-h-6 text-left font-semibold wrap-anywhere text-primary underline underline-offset-4 max-md:min-h-11 max-md:text-sm"
      onClick={() => onOpen(id)}
    >
      <AddressText text={recipient} />
    </button>
  )
}
