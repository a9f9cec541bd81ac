import { clsx } from 'clsx'
import { type MailState, mailStates, mailStateTexts } from '#shared/mail.ts'
import { maxMailSearch } from '#shared/mail-history.ts'
import { Button } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { PieceSteps } from '#web/components/piece-steps.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { figureText } from '#web/lib/count-text.ts'
import { type BulkAddress, bulkPath } from './bulk-address.ts'
import type { OpenBatch } from './bulk-data.ts'
import type { RenderResults } from './results-list.ts'

interface BatchResultsProps {
  data: OpenBatch
  address: BulkAddress
  busy: boolean
  onShow: (changes: Partial<BulkAddress>, options?: { replace?: boolean }) => void
  renderResults: RenderResults
}

/** What became of each message of a batch. */
export function BatchResults({ data, address, busy, onShow, renderResults }: BatchResultsProps) {
  const { summary, results } = data
  const open = (message: string | null) => onShow({ message, cursor: address.cursor }, { replace: true })
  return (
    <section aria-labelledby="results-title" className="flex flex-col gap-3">
      <h3 id="results-title" className="text-base font-semibold">
        Results
      </h3>
      <StateFilter counts={summary.counts} selected={address.state} onSelect={(state) => onShow({ state })} />
      <SearchBox
        id="result-search"
        className="max-w-md"
        placeholder="Address or name"
        mostLetters={maxMailSearch}
        value={address.search}
        onSearch={(search) => onShow({ search }, { replace: true })}
      />
      {address.state === 'unknown' && summary.counts.unknown > 0 && (
        <p className="rounded-box bg-warning-soft px-4 py-3 text-sm">
          Nobody knows whether these arrived: sending was cut off before the mail server answered. They are
          never sent again by themselves. Ask the recipients, or look into the mailbox’s Sent folder, and
          decide.
        </p>
      )}
      {results.items.length === 0 ? (
        <EmptyState
          title="No recipient matches."
          action={
            <Button variant="outline" size="sm" onClick={() => onShow({ state: null, search: '' })}>
              Show all recipients
            </Button>
          }
        />
      ) : (
        renderResults({
          caption: 'Recipients',
          items: results.items,
          busy,
          opened: address.message,
          onOpen: open,
          onClose: () => open(null),
        })
      )}
      <PieceSteps
        label="Pieces of the results"
        cursor={address.cursor}
        nextCursor={results.nextCursor}
        words={{ first: 'First recipients', next: 'More recipients' }}
        pathOf={(cursor) => bulkPath({ ...address, message: null, cursor })}
        staysInPlace
      />
    </section>
  )
}

interface StateFilterProps {
  counts: Record<MailState, number>
  selected: MailState | null
  onSelect: (state: MailState | null) => void
}

/** How many messages are in each state; a press shows only them. */
function StateFilter({ counts, selected, onSelect }: StateFilterProps) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const choices = [
    { state: null, label: 'All', count: total },
    // Each that has some; the chosen one stays when its last message leaves it.
    ...mailStates
      .filter((state) => counts[state] > 0 || state === selected)
      .map((state) => ({ state, label: mailStateTexts[state], count: counts[state] })),
  ]
  return (
    <fieldset>
      <legend className="sr-only">Results to show</legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-[repeat(auto-fit,minmax(7rem,1fr))]">
        {choices.map(({ state, label, count }) => (
          <button
            key={label}
            type="button"
            aria-pressed={selected === state}
            onClick={() => onSelect(state)}
            className={clsx(
              'rounded-box border px-3 py-2 text-left',
              selected === state ? 'border-primary bg-primary-soft' : 'border-edge bg-card hover:bg-soft',
            )}
          >
            <span className="block text-xl font-bold tabular-nums">{figureText(count)}</span>
            <span className="block text-sm text-muted">{label}</span>
          </button>
        ))}
      </div>
    </fieldset>
  )
}
