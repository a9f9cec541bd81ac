import { mailKinds, mailKindTexts, mailStates, mailStateTexts } from '#shared/mail.ts'
import { maxMailSearch } from '#shared/mail-history.ts'
import { SearchBox } from '#web/components/search-box.tsx'
import { SelectField } from '#web/components/select-field.tsx'
import type { OutboxAddress } from './outbox-address.ts'

const stateOptions = mailStates.map((value) => ({ value, label: mailStateTexts[value] }))
const kindOptions = mailKinds.map((value) => ({ value, label: mailKindTexts[value] }))

interface OutboxFiltersProps {
  address: OutboxAddress
  onChange: (changes: Partial<OutboxAddress>, options?: { replace?: boolean }) => void
}

/** What narrows the messages down. */
export function OutboxFilters({ address, onChange }: OutboxFiltersProps) {
  return (
    <div className="flex flex-wrap items-start gap-3 max-md:[&_select]:min-h-11">
      <SearchBox
        id="outbox-search"
        className="min-w-64 flex-[2_1_16rem] max-md:basis-full"
        placeholder="Address or subject"
        mostLetters={maxMailSearch}
        value={address.search}
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      <SelectField
        name="state"
        className="min-w-36 flex-1"
        label="State"
        density="compact"
        placeholder="All states"
        options={stateOptions}
        value={address.state ?? ''}
        onChange={({ target }) =>
          onChange({ state: mailStates.find((state) => state === target.value) ?? null })
        }
      />
      <SelectField
        name="kind"
        className="min-w-36 flex-1"
        label="Kind"
        density="compact"
        placeholder="All kinds"
        options={kindOptions}
        value={address.kind ?? ''}
        onChange={({ target }) => onChange({ kind: mailKinds.find((kind) => kind === target.value) ?? null })}
      />
    </div>
  )
}
