import type { ClipboardEvent, KeyboardEvent } from 'react'
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
  /** Why the server refused it. */
  refusal: string | undefined
  onType: (text: string) => void
  onPaste: (event: ClipboardEvent) => void
  /** Keeps the typed mark over the one that somebody else entered. */
  onKeep: () => void
  onTake: () => void
}

export function MarkRow({ number, item, text, state, refusal, onType, onPaste, ...choice }: MarkRowProps) {
  const name = studentName(item.student)
  const remarks = `remarks-${item.id}`
  return (
    <tr>
      <Cell className="text-right text-muted tabular-nums max-md:hidden">{number}</Cell>
      <Cell className="wrap-anywhere">{name}</Cell>
      <Cell className="tabular-nums max-md:hidden">{item.student.studentId}</Cell>
      <Cell>
        {text === null ? (
          item.mark
        ) : (
          <input
            className="control min-h-9 w-24 text-sm max-md:min-h-11 max-md:text-base"
            aria-label={`Mark of ${name}`}
            aria-invalid={refusal !== undefined || state.kind === 'unreadable'}
            aria-describedby={remarks}
            autoComplete="off"
            value={text}
            onChange={({ target }) => onType(target.value)}
            onKeyDown={goToRow}
            onPaste={onPaste}
          />
        )}
      </Cell>
      <Cell id={remarks} className="max-w-80">
        {refusal === undefined ? (
          <Remarks state={state} {...choice} />
        ) : (
          <span className="font-medium text-danger">{refusal}</span>
        )}
      </Cell>
    </tr>
  )
}

/** The keys work as in a spreadsheet: Enter and the arrows go down and up. */
function goToRow(event: KeyboardEvent<HTMLInputElement>) {
  const isUp = event.key === 'ArrowUp' || (event.key === 'Enter' && event.shiftKey)
  if (!isUp && event.key !== 'ArrowDown' && event.key !== 'Enter') return
  event.preventDefault()
  const row = event.currentTarget.closest('tr')
  const other = isUp ? row?.previousElementSibling : row?.nextElementSibling
  const input = other?.querySelector('input')
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
