import { clsx } from 'clsx'
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react'
import { studentName } from '#shared/students/student-name.ts'
import { markingMessages, outcomeNames } from '#shared/terms/marking.ts'
import type { MarkItem } from '#shared/terms/marks-response.ts'
import { Button } from '#web/components/button.tsx'
import { Cell } from '#web/components/data-table.tsx'
import { useSettings } from '#web/lib/settings.tsx'
import type { MarkState } from './typed-marks.ts'

interface MarkRowProps {
  number: number
  item: MarkItem
  /** The text in the field; null if the mark can't be changed. */
  text: string | null
  state: MarkState
  /** The scores of the parts, and what they give. */
  parts?: ReactNode
  /** Shown behind the outcome. */
  remarks?: ReactNode
  /** Why the server refused it. */
  refusal: string | undefined
  onType: (text: string) => void
  onPaste: (event: ClipboardEvent) => void
  /** Keeps the typed mark over the one that somebody else entered. */
  onKeep: () => void
  onTake: () => void
}

export function MarkRow(props: MarkRowProps) {
  const { number, item, text, state, parts, remarks, refusal, onType, onPaste, ...choice } = props
  const name = studentName(item.student)
  const remarksId = `remarks-${item.id}`
  return (
    <tr>
      <Cell className="text-right text-muted tabular-nums max-md:hidden">{number}</Cell>
      <Cell className={clsx('wrap-anywhere', parts && 'sticky left-0 z-1 min-w-28 bg-card md:min-w-40')}>
        {name}
      </Cell>
      <Cell className="tabular-nums max-md:hidden">{item.student.studentId}</Cell>
      {parts}
      <Cell>
        {text === null ? (
          item.mark
        ) : (
          <input
            className="control min-h-9 w-24 text-sm max-md:min-h-11 max-md:text-base"
            aria-label={`Mark of ${name}`}
            aria-invalid={refusal !== undefined || state.kind === 'unreadable'}
            aria-describedby={remarksId}
            autoComplete="off"
            value={text}
            onChange={({ target }) => onType(target.value)}
            onKeyDown={goInColumn}
            onPaste={onPaste}
          />
        )}
      </Cell>
      <Cell id={remarksId} className={clsx('max-w-80', parts && 'min-w-36')}>
        {refusal === undefined ? (
          <Remarks state={state} {...choice} />
        ) : (
          <span className="font-medium text-danger">{refusal}</span>
        )}
        {remarks}
      </Cell>
    </tr>
  )
}

/** The keys work as in a spreadsheet: Enter and the arrows go down and up in the column. */
export function goInColumn(event: KeyboardEvent<HTMLInputElement>) {
  const isUp = event.key === 'ArrowUp' || (event.key === 'Enter' && event.shiftKey)
  if (!isUp && event.key !== 'ArrowDown' && event.key !== 'Enter') return
  event.preventDefault()
  const cell = event.currentTarget.closest('td')
  const row = cell?.closest('tr')
  const other = isUp ? row?.previousElementSibling : row?.nextElementSibling
  const input = other?.children[cell?.cellIndex ?? 0]?.querySelector('input')
  input?.focus()
  input?.select()
}

function Remarks({ state, onKeep, onTake }: Pick<MarkRowProps, 'state' | 'onKeep' | 'onTake'>) {
  const { marking } = useSettings()
  switch (state.kind) {
    case 'unreadable':
      return <span className="font-medium text-danger">{markingMessages.mark(marking)}</span>
    case 'conflict':
      return (
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium text-warning">
            {state.other === ''
              ? 'Somebody else took the mark back.'
              : `Somebody else entered ${state.other}.`}
          </span>
          <Button variant="outline" size="sm" onClick={onKeep}>
            Keep mine
          </Button>
          <Button variant="ghost" size="sm" onClick={onTake}>
            Take theirs
          </Button>
        </span>
      )
    default:
      return (
        <>
          {outcomeNames[state.outcome]}
          {state.kind === 'changed' && <span className="text-muted"> · not saved</span>}
        </>
      )
  }
}
