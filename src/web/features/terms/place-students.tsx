import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CopyCheck, Plus } from 'lucide-react'
import { useState } from 'react'
import { leftSentence, type Placement, type PlacingFill, type PlacingOrder } from '#shared/terms/placing.ts'
import { sectionLabel } from '#shared/terms/terms.ts'
import type { PlacementPreview, Section, Term } from '#shared/terms/terms-response.ts'
import { Button, SmallButton, SmallLink } from '#web/components/button.tsx'
import { CheckLine } from '#web/components/check-line.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { DataTable, Cell as TableCell } from '#web/components/data-table.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { ModalFoot } from '#web/components/modal.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, reading, slowApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { useBatchToast } from './batch-toast.ts'
import type { Cell } from './data.ts'
import { FirstNames, MoreNames } from './first-names.tsx'

interface PlaceStudentsProps {
  term: Term
  cell: Cell
  /** The sections of the component and level. */
  sections: readonly Section[]
  onAddSections: () => void
  onClose: () => void
}

const orders: { value: PlacingOrder; label: string }[] = [
  { value: 'name', label: 'By name' },
  { value: 'course', label: 'By course, then name' },
]

const fills: { value: PlacingFill; label: string }[] = [
  { value: 'evenly', label: 'Evenly' },
  { value: 'in turn', label: 'One after the other' },
]

export function PlaceStudents({ term, cell, sections, onAddSections, onClose }: PlaceStudentsProps) {
  const [order, setOrder] = useState<PlacingOrder>('name')
  const [fill, setFill] = useState<PlacingFill>('evenly')
  const [isWithoutSections, setWithoutSections] = useState(sections.length === 0)
  const showDone = useBatchToast()
  const { can } = useAccount()
  const placedText = isWithoutSections ? 'enrolled without a section' : 'placed'
  const { component, level } = cell
  const placement: Placement = { component, level, order, fill, withoutSections: isWithoutSections }
  const param = { id: term.id }
  const preview = useQuery({
    queryKey: ['terms', 'placing', term.id, placement],
    // Changes of students decide whose next level this is, and in which order they are placed.
    meta: { topics: ['students'] },
    queryFn: reading(slowApi.terms[':id'].placements.preview.$post, { param, json: placement }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const placing = useAction({
    topics: ['terms'],
    // Sent again after a lost answer, it places nobody again.
    mutationFn: (basis: string) =>
      callApi(
        slowApi.terms[':id'].placements.$post({
          param,
          header: { 'idempotency-key': basis },
          json: { ...placement, basis },
        }),
      ),
    onSuccess({ batchId, count }) {
      showDone(`${countOf(count, 'student')} ${placedText}`, batchId)
      onClose()
    },
  })
  const { data, isPlaceholderData } = preview
  const isReady = data !== undefined && !isPlaceholderData && data.placed > 0 && !placing.isPending
  return (
    <div className="grid gap-5">
      {placing.error && <ErrorBanner message={sentenceOf(placing.error)} />}
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        {!isWithoutSections && (
          <>
            <ChoiceButtons legend="Order" choices={orders} selected={order} onSelect={setOrder} />
            <ChoiceButtons legend="Fill the sections" choices={fills} selected={fill} onSelect={setFill} />
          </>
        )}
        <CheckLine checked={isWithoutSections} onChange={setWithoutSections}>
          Enroll without sections
        </CheckLine>
      </div>
      <LoadedPart query={preview} what="the preview" lines={5} className="h-9">
        {(preview) => (
          <Preview preview={preview} sections={sections} placedText={placedText} isBusy={isPlaceholderData} />
        )}
      </LoadedPart>
      {can('students.change') && <Earlier term={term} cell={cell} />}
      <ModalFoot>
        <SmallButton onClick={onClose}>Cancel</SmallButton>
        {data?.left.some(({ reason }) => reason === 'full') && (
          <SmallButton
            icon={Plus}
            variant={data.placed === 0 ? 'primary' : 'outline'}
            onClick={onAddSections}
          >
            Add sections
          </SmallButton>
        )}
        <Button size="sm" aria-disabled={!isReady} onClick={() => isReady && placing.run(data.basis)}>
          {placing.isPending
            ? 'Placing…'
            : `${isWithoutSections ? 'Enroll' : 'Place'} ${countOf(data?.placed ?? 0, 'student')}`}
        </Button>
      </ModalFoot>
    </div>
  )
}

/** Students who may be the same person as somebody of an earlier year. Nothing is shown until they are known. */
function Earlier({ term, cell: { component, level } }: Pick<PlaceStudentsProps, 'term' | 'cell'>) {
  const { data } = useQuery({
    queryKey: ['terms', 'earlier', term.id, component, level],
    queryFn: reading(api.terms[':id']['earlier-records'].$get, {
      param: { id: term.id },
      query: { component, level: `${level}` },
    }),
    gcTime: 0,
  })
  if (!data || data.count === 0) return null
  return (
    <details className="rounded-box border px-4 py-2 text-sm">
      <summary className="min-h-7 cursor-pointer max-md:min-h-11">
        <strong>{countOf(data.count, 'student')}</strong> may have an earlier record
      </summary>
      <ul className="mt-2 grid gap-1">
        {data.items.map(({ id, name, earlierId, academicYear }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4">
            <span className="min-w-0 wrap-anywhere">
              {name} · {academicYear}
            </span>
            <SmallLink icon={CopyCheck} to={tabPath('students', { duplicate: id, with: earlierId })}>
              Compare
              <span className="sr-only">: {name}</span>
            </SmallLink>
          </li>
        ))}
      </ul>
      <MoreNames named={data.items.length} count={data.count} />
    </details>
  )
}

interface PreviewProps {
  preview: PlacementPreview
  sections: readonly Section[]
  placedText: string
  isBusy: boolean
}

function Preview({ preview, sections, placedText, isBusy }: PreviewProps) {
  const { total, placed, left, sections: counts } = preview
  const names = new Map(sections.map((section) => [section.id, sectionLabel(section)]))
  const changed = counts.filter(({ before, after }) => before !== after)
  return (
    <>
      <p role="status" className="font-semibold">
        {total === 0
          ? 'Nobody is without a section.'
          : `${countOf(total, 'student')} without a section: ${figureText(placed)} ${placedText}, ${figureText(total - placed)} not`}
      </p>
      {left.length > 0 && (
        <ul className="grid gap-2">
          {left.map(({ reason, value, count, students }) => (
            <li key={`${reason} ${value}`}>
              <details className="rounded-box border bg-warning-soft px-4 py-2 text-sm">
                <summary className="min-h-7 cursor-pointer">
                  {leftSentence(reason, value)} <strong>{countOf(count, 'student')}</strong>
                </summary>
                <FirstNames students={students} count={count} />
              </details>
            </li>
          ))}
        </ul>
      )}
      {changed.length > 0 && (
        <DataTable
          caption="Sections after placing"
          busy={isBusy}
          className="max-h-96 overflow-y-auto"
          heads={[
            'Section',
            ...['Before', 'After', 'Capacity'].map((head) => ({ head, headClassName: 'text-right' })),
          ]}
        >
          {changed.map(({ id, before, after, capacity }) => (
            <tr key={id}>
              <TableCell className="wrap-anywhere">{names.get(id) ?? 'New section'}</TableCell>
              <TableCell className="text-right tabular-nums">{figureText(before)}</TableCell>
              <TableCell className="text-right font-semibold tabular-nums">{figureText(after)}</TableCell>
              <TableCell className="text-right tabular-nums">{figureText(capacity)}</TableCell>
            </tr>
          ))}
        </DataTable>
      )}
    </>
  )
}
