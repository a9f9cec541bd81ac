import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { fieldDefinition } from '#shared/student-fields.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { countOf } from '#web/lib/count-text.ts'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { FieldValue } from './field-value.tsx'
import { likenesses } from './likeness.ts'
import {
  commonFields,
  differingFields,
  type MergeChoices,
  otherSide,
  type Pair,
  sideOf,
  sides,
  takeAll,
} from './merge-choices.ts'
import { SideChoice } from './side-choice.tsx'

interface ComparisonProps {
  pair: Pair
  choices: MergeChoices
  onChoose: (choices: MergeChoices) => void
}

/** Two records side by side: what differs with a choice, what is the same folded away. */
export function Comparison({ pair, choices, onChoose }: ComparisonProps) {
  const id = useId()
  const { momentOf } = useInstantTexts()
  const differing = differingFields(pair)
  const { keep } = choices
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap gap-1.5">
        {likenesses(pair.left, pair.right).map((reason) => (
          <Badge key={reason} tone="warning">
            {reason}
          </Badge>
        ))}
      </p>
      <SideChoice
        legend="Which record stays?"
        name={`${id}-keep`}
        chosen={keep}
        onChoose={(side) => onChoose({ ...choices, keep: side })}
      >
        {(side) => {
          const { reference, registrationDate, archived } = pair[side]
          return (
            <>
              <span className="block font-semibold wrap-anywhere">{reference}</span>
              <span className="block text-muted">
                Registered {momentOf(registrationDate)}
                {archived && ' · Archived'}
              </span>
            </>
          )
        }}
      </SideChoice>
      <section aria-labelledby={`${id}-differences`} className="grid gap-3">
        <h3 id={`${id}-differences`} className="border-b pb-1 font-semibold text-primary">
          {differing.length === 0 ? 'No differences' : `${countOf(differing.length, 'difference')}`}
        </h3>
        {differing.length > 0 && (
          <div className="grid grid-cols-2 gap-2">
            {sides.map((side) => (
              <Button
                key={side}
                variant="outline"
                size="sm"
                className="max-md:min-h-11"
                aria-label={`Take all values of ${pair[side].reference}`}
                onClick={() => onChoose(takeAll(side, choices, pair))}
              >
                Take all values
              </Button>
            ))}
          </div>
        )}
        {differing.map((field) => (
          <SideChoice
            key={field}
            legend={fieldDefinition(field).label}
            name={`${id}-${field}`}
            chosen={sideOf(field, choices, pair)}
            onChoose={(side) => onChoose({ ...choices, take: { ...choices.take, [field]: side } })}
          >
            {(side) => <FieldValue record={pair[side]} field={field} />}
          </SideChoice>
        ))}
      </section>
      <SameFields pair={pair} />
      <p className="rounded-box bg-soft p-3 text-sm">
        Merging keeps <strong>{pair[keep].reference}</strong> with the chosen values and deletes{' '}
        <strong>{pair[otherSide(keep)].reference}</strong>. Both stay in the audit trail as they were.
      </p>
    </div>
  )
}

function SameFields({ pair }: Pick<ComparisonProps, 'pair'>) {
  const fields = commonFields(pair)
  if (fields.length === 0) return null
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-1.5 font-semibold text-primary">
        <ChevronRight aria-hidden="true" className="size-4 group-open:rotate-90" />
        The same in both: {countOf(fields.length, 'field')}
      </summary>
      <dl className="mt-1 grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-3">
        {fields.map((field) => (
          <div key={field} className="min-w-0">
            <dt className="text-xs font-medium text-muted">{fieldDefinition(field).label}</dt>
            <dd>
              <FieldValue record={pair.left} field={field} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
