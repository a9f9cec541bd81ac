import { ButtonLink } from './button.tsx'

interface PieceStepsProps {
  /** Names the way for screen readers: 'Pieces of the outbox'. */
  label: string
  /** Where the shown piece begins; '' for the list's beginning. */
  cursor: string
  /** Null at the list's end. */
  nextCursor: string | null
  /** What leads back to the beginning, and what further. */
  words: { first: string; next: string }
  pathOf: (cursor: string) => string
  /** For a list below other things: the page stays where it is. */
  staysInPlace?: boolean
}

/** The way through a list that comes in pieces: each has an address of its own, which leads back to it later. */
export function PieceSteps({
  label,
  cursor,
  nextCursor,
  words,
  pathOf,
  staysInPlace = false,
}: PieceStepsProps) {
  if (cursor === '' && nextCursor === null) return null
  return (
    <nav aria-label={label} className="flex flex-wrap justify-end gap-2 max-md:[&_a]:min-h-11">
      {cursor !== '' && (
        <ButtonLink variant="outline" size="sm" to={pathOf('')} preventScrollReset={staysInPlace}>
          {words.first}
        </ButtonLink>
      )}
      {nextCursor !== null && (
        <ButtonLink variant="outline" size="sm" to={pathOf(nextCursor)} preventScrollReset={staysInPlace}>
          {words.next}
        </ButtonLink>
      )}
    </nav>
  )
}
