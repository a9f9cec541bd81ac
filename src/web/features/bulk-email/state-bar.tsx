import type { MailCounts, MailState } from '#shared/mail.ts'

/** From left to right: how each state is painted. What waits is the bar's own ground. */
const paints: readonly (readonly [state: MailState, paint: string])[] = [
  ['sent', 'bg-primary'],
  ['unknown', 'bg-warning'],
  ['failed', 'bg-danger'],
  ['cancelled', 'bg-edge'],
]

/** The parts of a batch in the colours of their states. The figures stand beside it in words. */
export function StateBar({ counts }: { counts: MailCounts }) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <div aria-hidden="true" className="flex h-2.5 w-full overflow-hidden rounded-box bg-line">
      {paints.map(
        ([state, paint]) =>
          counts[state] > 0 && (
            <div
              key={state}
              className={`${paint} h-full min-w-0.5 transition-[width] duration-150`}
              style={{ width: `${(counts[state] / total) * 100}%` }}
            />
          ),
      )}
    </div>
  )
}
