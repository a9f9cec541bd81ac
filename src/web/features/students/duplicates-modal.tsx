import { useMutation, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ChevronRight, UserCheck } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { fieldDefinition, type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import type { StudentMerge, StudentRecord } from '#shared/students/student-response.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button, SmallButton } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField } from '#web/components/field.tsx'
import { ModalFoot } from '#web/components/modal.tsx'
import { Loading } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { showUndoable } from '#web/components/undo-toast.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, failureText } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { failureOf } from '#web/lib/query.ts'
import { fieldText, RecordModal } from './record-modals.tsx'
import { listName, withMoved } from './student-texts.ts'

interface DuplicatesModalProps {
  id: string | null
  /** Compared too, though of another year. */
  withId: string | null
  /** What this screen changes is no news to the list below it. */
  onChange: () => void
  onClose: () => void
}

export function DuplicatesModal({ id, ...props }: DuplicatesModalProps) {
  return (
    <RecordModal id={id} title="Possible Duplicates" size="lg" hasButtons onClose={props.onClose}>
      {(id) => <Duplicates id={id} {...props} />}
    </RecordModal>
  )
}

function Duplicates({ id, withId, onChange, onClose }: DuplicatesModalProps & { id: string }) {
  const query = useDuplicates(id, withId)
  const [otherId, setOtherId] = useState(withId)
  const [decided, setDecided] = useState<{ other: string; choices: MergeChoices } | null>(null)
  const { data } = query
  const others = data?.others ?? []
  const right = others.find((record) => record.id === otherId) ?? others[0]
  const pair = data && right && { left: data.student, right }

  const decision = useMutation({
    networkMode: 'always',
    mutationFn: ({ send }: Decision) => send(),
    async onSuccess(message, { undo }) {
      if (undo) showUndoable({ message, whatFailed: 'Failed to undo the merge', undo })
      else showToast('success', message)
      setOtherId(null)
      // There may be more duplicates; without any, or when this record was the deleted one, the modal closes.
      if (others.length < 2) onClose()
      else if ((await query.refetch()).isError) onClose()
      onChange()
    },
    onError(error) {
      const isStale = error instanceof ApiProblem && ['conflict', 'not_found'].includes(error.problem.code)
      return isStale ? query.refetch() : undefined
    },
  })

  const failure = failureOf(query)
  if (failure !== null) return <ErrorBanner message={failure} onRetry={() => void query.refetch()} />
  if (!data) return <Loading what="the records" lines={4} className="h-16" />
  if (!pair) {
    return (
      <EmptyState
        icon={UserCheck}
        title="No possible duplicates of this record."
        action={<SmallButton onClick={onClose}>Close</SmallButton>}
      />
    )
  }
  const choices = decided?.other === pair.right.id ? decided.choices : defaultChoices(pair)
  const isBusy = decision.isPending
  const decisions: Record<'dismiss' | 'merge', Decision> = {
    dismiss: {
      whatFailed: 'Failed to mark the records as not duplicates',
      async send() {
        await callApi(api.students.duplicates.dismiss.$post({ json: { ids: [pair.left.id, pair.right.id] } }))
        return 'Marked as not duplicates'
      },
    },
    merge: {
      whatFailed: 'Failed to merge the records',
      async send() {
        const { movedIn = [], nstpComponent } = await callApi(
          api.students.merge.$post({ json: mergeOf(choices, pair) }),
        )
        return withMoved('Records merged successfully', movedIn, nstpComponent)
      },
      async undo() {
        const { id } = pair[otherSide(choices.keep)]
        await callApi(api.students[':id'].restore.$post({ param: { id } }))
        showToast('success', 'Both records are as before the merge')
        onChange()
      },
    },
  }
  return (
    <div className="grid gap-4">
      {others.length > 1 && (
        <SelectField
          name="compare-with"
          label={`Compare with (${others.length} records)`}
          options={others.map(({ id: value, lastName, firstName, reference }) => ({
            value,
            label: `${lastName}, ${firstName} · ${reference}`,
          }))}
          value={pair.right.id}
          onChange={({ target }) => {
            decision.reset()
            setOtherId(target.value)
          }}
        />
      )}
      <Comparison
        pair={pair}
        choices={choices}
        onChoose={(next) => setDecided({ other: pair.right.id, choices: next })}
      />
      <ModalFoot>
        {decision.isError && (
          <div className="basis-full">
            <ErrorBanner message={failureText(decision.variables.whatFailed, decision.error)} />
          </div>
        )}
        <Button
          variant="outline"
          className="max-sm:flex-auto"
          disabled={isBusy}
          onClick={() => decision.mutate(decisions.dismiss)}
        >
          Not duplicates
        </Button>
        <Button
          variant="danger"
          className="max-sm:flex-auto"
          disabled={isBusy}
          onClick={() => decision.mutate(decisions.merge)}
        >
          {isBusy ? 'Saving…' : 'Merge records'}
        </Button>
      </ModalFoot>
    </div>
  )
}

interface Decision {
  whatFailed: string
  /** @returns what was done */
  send: () => Promise<string>
  undo?: () => Promise<void>
}

function useDuplicates(id: string, withId: string | null) {
  return useQuery({
    queryKey: ['students', 'duplicates', id, withId],
    async queryFn({ signal }) {
      const [param, init] = [{ id }, { init: { signal } }]
      const query = withId === null ? {} : { with: withId }
      const [student, { items }] = await Promise.all([
        callApi(api.students[':id'].$get({ param }, init)),
        callApi(api.students[':id'].duplicates.$get({ param, query }, init)),
      ])
      return { student, others: items }
    },
    // While the administrator compares, nothing changes by itself: a merge of old versions is refused.
    staleTime: 'static',
    gcTime: 0,
  })
}

interface ComparisonProps {
  pair: Pair
  choices: MergeChoices
  onChoose: (choices: MergeChoices) => void
}

function Comparison({ pair, choices, onChoose }: ComparisonProps) {
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
        legend="Which record to keep?"
        name={`${id}-keep`}
        chosen={keep}
        onChoose={(side) => onChoose({ ...choices, keep: side })}
      >
        {(side) => {
          const { reference, registrationDate, archived } = pair[side]
          return (
            <>
              <span className="block font-semibold wrap-anywhere">{listName(pair[side])}</span>
              <span className="block wrap-anywhere">{reference}</span>
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
              <SmallButton
                key={side}
                aria-label={`Use all from this record: ${pair[side].reference}`}
                onClick={() => onChoose(takeAll(side, choices, pair))}
              >
                Use all from this record
              </SmallButton>
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
        Merging keeps <strong>{pair[keep].reference}</strong> with the selected values and deletes{' '}
        <strong>{pair[otherSide(keep)].reference}</strong>. The audit trail keeps the original values of both.
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
        <ChevronRight className="size-4 group-open:rotate-90" />
        Same in both: {countOf(fields.length, 'field')}
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

const plain = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()

export function likenesses(one: StudentRecord, other: StudentRecord): string[] {
  const alike = (field: 'lastName' | 'firstName' | 'email' | 'studentId') =>
    plain(one[field]) === plain(other[field])
  const reasons = [
    alike('lastName') && alike('firstName') && one.dateOfBirth === other.dateOfBirth
      ? 'Same name and birth date'
      : '',
    alike('email') && one.email !== '' ? 'Same email' : '',
    alike('studentId') && /\d/.test(one.studentId) ? 'Same student ID' : '',
  ]
  return reasons.filter(Boolean)
}

function FieldValue({ record, field }: { record: StudentRecord; field: StudentField }) {
  const text = fieldText(record, field)
  return text === '' ? (
    <span className="text-muted italic">Empty</span>
  ) : (
    <span className="whitespace-pre-line wrap-anywhere">{text}</span>
  )
}

interface SideChoiceProps {
  legend: string
  name: string
  chosen: Side
  onChoose: (side: Side) => void
  children: (side: Side) => ReactNode
}

function SideChoice({ legend, name, chosen, onChoose, children }: SideChoiceProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-semibold">{legend}</legend>
      <div className="grid grid-cols-2 gap-2">
        {sides.map((side) => (
          <label
            key={side}
            className={clsx(
              'flex min-h-11 min-w-0 cursor-pointer items-start gap-2 rounded-box border border-edge px-2.5 py-2 text-sm',
              'has-checked:border-primary has-checked:bg-primary-soft',
            )}
          >
            <input
              type="radio"
              name={name}
              value={side}
              checked={chosen === side}
              onChange={() => onChoose(side)}
              className="mt-0.5 size-4.5 shrink-0 accent-primary"
            />
            <span className="min-w-0">{children(side)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type Side = 'left' | 'right'

const sides: readonly Side[] = ['left', 'right']

type Pair = Record<Side, StudentRecord>

export interface MergeChoices {
  keep: Side
  take: { [Field in StudentField]?: Side | undefined }
}

function otherSide(side: Side): Side {
  return side === 'left' ? 'right' : 'left'
}

export function differingFields({ left, right }: Pair): StudentField[] {
  return studentFieldNames.filter((field) => left[field] !== right[field])
}

export function commonFields({ left, right }: Pair): StudentField[] {
  return studentFieldNames.filter((field) => left[field] === right[field] && left[field] !== '')
}

/** An active record before an archived one, then the earlier: its reference code is the known one. */
export function defaultChoices({ left, right }: Pair): MergeChoices {
  if (left.archived !== right.archived) return { keep: left.archived ? 'right' : 'left', take: {} }
  return { keep: left.registrationDate <= right.registrationDate ? 'left' : 'right', take: {} }
}

/** The chosen side; by default the remaining record's, unless its value is empty. */
export function sideOf(field: StudentField, { keep, take }: MergeChoices, pair: Pair): Side {
  return take[field] ?? (pair[keep][field] === '' ? otherSide(keep) : keep)
}

export function takeAll(side: Side, choices: MergeChoices, pair: Pair): MergeChoices {
  return { ...choices, take: Object.fromEntries(differingFields(pair).map((field) => [field, side])) }
}

export function mergeOf(choices: MergeChoices, pair: Pair): StudentMerge {
  const { keep } = choices
  const keptRecord = pair[keep]
  const dropped = pair[otherSide(keep)]
  const take = differingFields(pair).map((field) => [
    field,
    sideOf(field, choices, pair) === keep ? 'keep' : 'drop',
  ])
  return {
    keepId: keptRecord.id,
    keepVersion: keptRecord.version,
    dropId: dropped.id,
    dropVersion: dropped.version,
    take: Object.fromEntries(take),
  }
}
