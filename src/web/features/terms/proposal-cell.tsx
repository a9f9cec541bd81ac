import { isEntered, type ProposedMark } from '#shared/terms/mark-proposal.ts'
import type { MarkItem } from '#shared/terms/marks-response.ts'
import { SmallButton } from '#web/components/button.tsx'
import { Cell } from '#web/components/data-table.tsx'
import { useAccount } from '#web/lib/account.ts'
import type { MarkState } from './typed-marks.ts'

interface Proposal {
  /**
   * entered: the stored mark is it. new: entered with the others. differs: another mark was typed or imported, and stays
   * unless the user takes this one. against: another number is being typed.
   */
  kind: 'entered' | 'new' | 'differs' | 'against'
  proposed: ProposedMark
  /** Whether what was entered from the parts is another mark by now. */
  isLater: boolean
}

/** Whether a mark is a number: neither none, nor letters. */
export const isNumber = ({ outcome }: Pick<MarkItem, 'outcome'>) =>
  outcome === 'passed' || outcome === 'failed'

/** What the parts give beside the stored or typed mark; null without all scores. */
export function proposalOf(item: MarkItem, state: MarkState, proposed: ProposedMark | null): Proposal | null {
  if (!proposed) return null
  const isStored = isEntered(item, proposed)
  const isLater = item.parts !== null && !isStored
  if (state.kind === 'changed' && isNumber(state) && state.mark !== proposed.mark) {
    return { kind: 'against', proposed, isLater }
  }
  if (isStored) return { kind: 'entered', proposed, isLater }
  return { kind: item.mark === '' || isLater ? 'new' : 'differs', proposed, isLater }
}

/** @param isTaken whether the user takes it for a mark that was typed or imported */
export const isToEnter = ({ kind }: Proposal, isTaken: boolean) =>
  kind === 'new' || (kind === 'differs' && isTaken)

interface ProposalCellProps {
  proposal: Proposal | null
  name: string
  isTaken: boolean
  onTake: () => void
}

export function ProposalCell({ proposal, name, isTaken, onTake }: ProposalCellProps) {
  const { can } = useAccount()
  if (!proposal) return <Cell />
  const { kind, proposed, isLater } = proposal
  return (
    <Cell className="whitespace-nowrap tabular-nums">
      <span className={kind === 'entered' ? 'text-muted' : 'font-semibold'}>{proposed.mark}</span>
      <span className="text-muted"> {proposed.percent} %</span>
      {isLater && <span className="font-medium text-warning"> · differs</span>}
      {kind === 'differs' &&
        can('marks') &&
        (isTaken ? (
          <span className="text-muted"> · taken</span>
        ) : (
          <SmallButton className="ml-2" aria-label={`Take ${proposed.mark} for ${name}`} onClick={onTake}>
            Take it
          </SmallButton>
        ))}
    </Cell>
  )
}
