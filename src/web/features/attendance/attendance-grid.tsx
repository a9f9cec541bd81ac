import { clsx } from 'clsx'
import { LockKeyhole } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type {
  AttendanceGrid as Grid,
  GridStudent,
  TrainingDay,
} from '#shared/attendance/attendance-response.ts'
import { type AttendanceState, attendanceStates, callLimits, stateLetters } from '#shared/attendance/calls.ts'
import { excuseGroundNames } from '#shared/attendance/excuse-grounds.ts'
import { takesCallsOf } from '#shared/attendance/training-days.ts'
import { studentName } from '#shared/students/student-name.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { Badge } from '#web/components/badge.tsx'
import { Cell, DataTable, HeadCell } from '#web/components/data-table.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useToday } from '#web/lib/date-texts.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { dayName, weekdayOf } from './attendance-data.ts'
import { type CallQueue, type CellCall, emptyCall, type NewCall, shownCalls } from './call-queue.tsx'
import { ExcuseModal } from './excuse-form.tsx'
import { hasHeading, readPastedBlock } from './pasted-block.ts'

export interface GridProps {
  term: Term
  queue: CallQueue
  grid: Grid
  /** Whether the students are of several sections. */
  hasSections: boolean
}

/** Row and column of a cell. */
type Place = readonly [number, number]

export const tones: Readonly<Record<AttendanceState, string>> = {
  present: 'text-success',
  late: 'bg-warning-soft text-warning',
  absent: 'bg-danger-soft text-danger',
  excused: 'bg-info-soft text-info',
}

/** The desk's grid: the keys P, L, A and E call, and what is selected is called together, as in a spreadsheet. */
export function AttendanceGrid({
  term,
  queue,
  grid: { days, rule, students, calls, leftOut },
  hasSections,
}: GridProps) {
  const table = useRef<HTMLDivElement>(null)
  const today = useToday()
  // The last day until today comes into sight.
  const [latest] = useState(() => Math.max(0, days.filter(({ heldOn }) => heldOn <= today).length - 1))
  useEffect(() => {
    const cell = table.current?.querySelector(`[data-place="0 ${latest}"]`)
    cell?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [latest])
  // The cell with the focus, and the other corner of the selection.
  const [focused, setFocused] = useState<Place>([0, latest])
  const [corner, setCorner] = useState<Place>([0, latest])
  const [excused, setExcused] = useState<readonly NewCall[] | null>(null)
  const callOf = shownCalls(queue, calls)
  // Students can only be excused on a day to come.
  const toCome = new Set(days.filter(({ heldOn }) => heldOn > today).map(({ id }) => id))
  const mayCall = term.state !== 'closed'

  function callAt([row, column]: Place): NewCall | undefined {
    const day = days[column]
    const student = students[row]?.student
    return day && student && callOf(day.id, student.id)
  }

  const rows = [Math.min(focused[0], corner[0]), Math.max(focused[0], corner[0])] as const
  const columns = [Math.min(focused[1], corner[1]), Math.max(focused[1], corner[1])] as const
  const isSelected = ([row, column]: Place) =>
    row >= rows[0] && row <= rows[1] && column >= columns[0] && column <= columns[1]

  function selectedCalls(): NewCall[] {
    const selected = students
      .flatMap((_, row) => days.map((__, column) => [row, column] as const))
      .filter(isSelected)
    return selected.flatMap((place) => (takesCall(place) ? (callAt(place) ?? []) : []))
  }

  /** Students of other sections are called only where they have a call. */
  function takesCall([row, column]: Place): boolean {
    const day = days[column]
    const student = students[row]
    if (!day || !student || day.state === 'cancelled') return false
    return takesCallsOf(day, student.sectionId) || callOf(day.id, student.student.id).state !== null
  }

  function select(place: Place, other = place) {
    setFocused(place)
    setCorner(other)
    table.current?.querySelector<HTMLElement>(`[data-place="${place.join(' ')}"]`)?.focus()
  }

  function move([down, right]: Place, isExtending: boolean) {
    const row = Math.max(0, Math.min(students.length - 1, focused[0] + down))
    const column = Math.max(0, Math.min(days.length - 1, focused[1] + right))
    select([row, column], isExtending ? corner : [row, column])
  }

  /** Minutes are typed behind L: 1 and 5 make 15. */
  function typeMinutes(digit: number) {
    const call = callAt(focused)
    const minutes = (call?.minutes ?? 0) * 10 + digit
    if (call?.state === 'late' && minutes > 0 && minutes <= callLimits.minutes)
      queue.add([{ ...call, minutes }])
  }

  /** @returns whether the key moves the focus or selects */
  function pressToMove({ key, shiftKey, ctrlKey }: KeyboardEvent): boolean {
    const step = steps[key]
    const [row, column] = focused
    if (step) move(step, shiftKey)
    else if (key === ' ' && shiftKey) select([row, 0], [row, days.length - 1])
    else if (key === ' ' && ctrlKey) select([0, column], [students.length - 1, column])
    else return false
    return true
  }

  function pressToCall({ key }: KeyboardEvent): boolean {
    const state = attendanceStates.find((one) => stateLetters[one] === key.toUpperCase())
    if (state === 'excused') setExcused(selectedCalls())
    else if (state)
      queue.add(
        selectedCalls()
          .filter(({ dayId }) => !toCome.has(dayId))
          .map((call) => ({ ...call, ...emptyCall, state })),
      )
    else if (key === 'Backspace' || key === 'Delete') clear()
    else if (/^\d$/.test(key)) typeMinutes(Number(key))
    else return false
    return true
  }

  function press(event: KeyboardEvent) {
    if (event.metaKey || event.altKey) return
    if (pressToMove(event) || (mayCall && !event.ctrlKey && pressToCall(event))) event.preventDefault()
  }

  function clear() {
    const called = selectedCalls().filter(({ state }) => state !== null)
    if (called.length > 0) queue.add(called.map((call) => ({ ...call, ...emptyCall })))
  }

  /** Fills the cells from the first selected one on. A cell that takes no call, or whose letter is none, is counted. */
  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text/plain')
    if (!mayCall || text === '') return
    event.preventDefault()
    const lines = readPastedBlock(text)
    if (hasHeading(lines)) {
      showToast('warning', 'Nothing was pasted. Please copy the cells without the heading above them.')
      return
    }
    const cells = lines.flatMap((line, row) =>
      line.map((cell, column) => ({ cell, place: [rows[0] + row, columns[0] + column] as const })),
    )
    const filled = cells.filter(({ cell }) => cell !== null)
    const pasted = filled.flatMap(({ cell, place }) => {
      const call = cell && takesCall(place) ? callAt(place) : undefined
      const isCall = call && (cell?.state === 'excused' || !toCome.has(call.dayId))
      return isCall ? [{ ...call, ...emptyCall, ...cell }] : []
    })
    const [ofGround, others] = [true, false].map((isExcused) =>
      pasted.filter(({ state }) => (state === 'excused') === isExcused),
    )
    if (others?.length) queue.add(others)
    if (ofGround?.length) setExcused(ofGround)
    const left = filled.length - pasted.length
    showToast(
      left === 0 ? 'success' : 'warning',
      `${countOf(pasted.length, 'cell')} pasted` +
        (left === 0
          ? ''
          : `, ${figureText(left)} left out: P, L, A and E go to days and students of the list`),
    )
  }

  return (
    <div className="grid gap-2">
      {leftOut > 0 && (
        <p className="text-sm text-muted">
          {countOf(leftOut, 'blocked record')} {leftOut === 1 ? 'is' : 'are'} on no list.
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the grid's cells arrive here */}
      <div ref={table} className="min-w-0" onKeyDown={press} onPaste={paste}>
        <DataTable caption="Attendance" isDense>
          <thead>
            <tr>
              <HeadCell className="sticky left-0 z-1">Name</HeadCell>
              {hasSections && <HeadCell>Section</HeadCell>}
              {days.map((day, column) => (
                <DayHead
                  key={day.id}
                  day={day}
                  onSelect={() => select([0, column], [students.length - 1, column])}
                />
              ))}
              {figureHeads.map((head) => (
                <HeadCell key={head} className="text-right">
                  {head}
                </HeadCell>
              ))}
            </tr>
          </thead>
          <tbody>
            {students.map((row, number) => (
              <tr key={row.student.id}>
                <NameCell row={row} onSelect={() => select([number, 0], [number, days.length - 1])} />
                {hasSections && <Cell className="whitespace-nowrap">{row.section || '–'}</Cell>}
                {days.map((day, column) => (
                  <CallCell
                    key={day.id}
                    place={[number, column]}
                    label={`${studentName(row.student)}, ${dayName(day)}`}
                    call={callOf(day.id, row.student.id)}
                    isOff={!takesCall([number, column])}
                    isFocused={focused[0] === number && focused[1] === column}
                    isSelected={isSelected([number, column])}
                    onSelect={(isExtending) => select([number, column], isExtending ? corner : undefined)}
                  />
                ))}
                <Figures row={row} hours={rule.hours} />
              </tr>
            ))}
          </tbody>
        </DataTable>
      </div>
      <p className="text-sm text-muted">
        {students.length === 0
          ? `No students${hasSections ? '' : ' in this section'}.`
          : 'P present, L late (then the minutes), A absent, E excused, Backspace clears. Arrows move, with Shift they select; a date or a name selects all of it. A block of these letters is pasted from a spreadsheet. Days to come can only be excused.'}
      </p>
      <ExcuseModal queue={queue} calls={excused} onClose={() => setExcused(null)} />
    </div>
  )
}

const steps: Readonly<Record<string, Place>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Enter: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

const figureHeads = ['Absent', 'In a row', 'Late', 'Excused', 'Hours'] as const

function Figures({ row: { standing }, hours }: { row: GridStudent; hours: number }) {
  const texts = [
    standing.absent,
    standing.inRow,
    standing.late,
    standing.excused,
    `${standing.hours} of ${hours}`,
  ]
  return figureHeads.map((head, index) => (
    <Cell key={head} className="text-right whitespace-nowrap tabular-nums">
      {texts[index]}
    </Cell>
  ))
}

export function StandingBadge({ level }: Pick<GridStudent['standing'], 'level'>) {
  if (level === 'fine') return null
  return <Badge tone={level === 'over' ? 'danger' : 'warning'}>{level === 'over' ? 'Over' : 'Near'}</Badge>
}

function NameCell({ row, onSelect }: { row: GridStudent; onSelect: () => void }) {
  return (
    <th scope="row" className="sticky left-0 z-1 min-w-40 border-b bg-card px-3 font-normal md:min-w-56">
      <span className="flex items-center gap-2">
        <button type="button" className="text-left" onClick={onSelect}>
          {studentName(row.student)}
        </button>
        <StandingBadge level={row.standing.level} />
      </span>
    </th>
  )
}

function DayHead({ day, onSelect }: { day: TrainingDay; onSelect: () => void }) {
  const [, month, date] = day.heldOn.split('-').map(Number)
  return (
    <HeadCell className="px-0! text-center">
      <button
        type="button"
        title={dayName(day)}
        aria-label={`${dayName(day)}, ${day.state}`}
        onClick={onSelect}
        className="px-1.5"
      >
        <span className="block font-normal">{weekdayOf(day.heldOn)}</span>
        <span className={clsx('tabular-nums', day.state === 'cancelled' && 'line-through')}>
          {month}/{date}
        </span>
        {day.state === 'closed' && <LockKeyhole className="ml-0.5 inline size-3" />}
      </button>
    </HeadCell>
  )
}

interface CallCellProps {
  place: Place
  label: string
  call: CellCall
  isOff: boolean
  isFocused: boolean
  isSelected: boolean
  onSelect: (isExtending: boolean) => void
}

function CallCell({ place, label, call, isOff, isFocused, isSelected, onSelect }: CallCellProps) {
  const { state, minutes, ground } = call
  const about =
    state === null ? 'not called' : [state, minutes && `${minutes} minutes`].filter(Boolean).join(', ')
  return (
    <Cell className="p-0! text-center">
      <button
        type="button"
        data-place={place.join(' ')}
        tabIndex={isFocused ? 0 : -1}
        aria-label={`${label}: ${about}`}
        aria-pressed={isSelected}
        title={ground === '' ? undefined : excuseGroundNames[ground]}
        onClick={(event) => onSelect(event.shiftKey)}
        className={clsx(
          'block size-full h-9 min-w-10 px-1 font-semibold -outline-offset-2 max-md:h-11',
          state && tones[state],
          isOff && 'bg-soft',
          isSelected && 'ring-1 ring-primary ring-inset',
        )}
      >
        {state === null ? '' : stateLetters[state]}
        {minutes}
      </button>
    </Cell>
  )
}
