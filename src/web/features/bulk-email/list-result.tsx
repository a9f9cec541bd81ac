import type { LeftOutRecipient, RecipientList } from '#shared/mail-recipients.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { countOf, figureText } from '#web/lib/count-text.ts'
import { RecipientCount } from './recipient-count.tsx'

/** So many are listed one by one. */
const mostListed = 100

const placeWords = { line: 'Line', entry: 'Entry', row: 'Row' } as const

/** How a list was understood: who gets the mail, and line by line who doesn't. */
export function ListResult({ list }: { list: RecipientList }) {
  const { recipients, duplicates, invalid, problem } = list
  // Broken JSON has no line to name.
  if (problem !== '' && duplicates.length === 0 && invalid.length === 0) {
    return <p className="text-sm text-danger">{problem}</p>
  }
  return (
    <div className="flex flex-col gap-2">
      <RecipientCount
        count={recipients.length}
        noun="recipient"
        leftOut={[
          ...(duplicates.length > 0 ? [countOf(duplicates.length, 'duplicate')] : []),
          ...(invalid.length > 0 ? [`${figureText(invalid.length)} invalid`] : []),
        ]}
      />
      <LeftOut title={`Invalid (${figureText(invalid.length)})`} list={list} items={invalid} isOpen />
      <LeftOut title={`Duplicates (${figureText(duplicates.length)})`} list={list} items={duplicates} />
    </div>
  )
}

interface LeftOutProps {
  title: string
  list: RecipientList
  items: readonly LeftOutRecipient[]
  isOpen?: boolean
}

function LeftOut({ title, list, items, isOpen = false }: LeftOutProps) {
  if (items.length === 0) return null
  const more = items.length - mostListed
  return (
    <details open={isOpen} className="rounded-box border">
      <summary className="min-h-9 px-3 py-1.5 text-sm font-semibold max-md:min-h-11 max-md:py-2.5">
        {title}
      </summary>
      <ul className="flex max-h-60 flex-col gap-1 overflow-y-auto border-t px-3 py-2 text-sm">
        {items.slice(0, mostListed).map(({ position, text, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line may hold the same twice
          <li key={`${position}-${index}`} className="wrap-anywhere">
            <span className="text-muted">
              {placeWords[list.positions]} {figureText(position)}:{' '}
            </span>
            <span className="font-semibold">
              <AddressText text={text} />
            </span>{' '}
            – {message}
          </li>
        ))}
        {more > 0 && <li className="text-muted">and {figureText(more)} more</li>}
      </ul>
    </details>
  )
}
