import { clsx } from 'clsx'
import { type ReactNode, useState } from 'react'
import type { TrainingDay } from '#shared/attendance/attendance-response.ts'
import { type AttendanceState, attendanceStates } from '#shared/attendance/calls.ts'
import { studentName } from '#shared/students/student-name.ts'
import { Button } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { controlSize, SelectField } from '#web/components/field.tsx'
import { useToday } from '#web/lib/date-texts.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { tones } from './attendance-grid.tsx'
import { type CallQueue, emptyCall, type NewCall, type StoredCall, shownCalls } from './call-queue.tsx'
import { ExcuseModal } from './excuse-form.tsx'

/** One tap is absent, a second late, a third excused, and then present again. */
const next: Readonly<Record<AttendanceState, AttendanceState>> = {
  present: 'absent',
  absent: 'late',
  late: 'excused',
  excused: 'present',
}

/** A day to come can be excused alone. */
function stateAfter(state: AttendanceState | null, isToCome: boolean): AttendanceState | null {
  if (isToCome) return state === null ? 'excused' : null
  return state === null ? 'absent' : next[state]
}

interface PhoneRollRow {
  student: Parameters<typeof studentName>[0] & { id: string }
}

type PhoneRollDay = Pick<TrainingDay, 'id' | 'heldOn'>

interface PhoneRollProps<Day extends PhoneRollDay, Row extends PhoneRollRow> {
  queue: CallQueue
  day: Day
  rows: readonly Row[]
  calls: readonly StoredCall[]
  /** Whether a day takes calls of a student. */
  isOn: (day: Day, row: Row) => boolean
  /** The line below the name. */
  textOf: (row: Row) => string
  badgeOf?: (row: Row) => ReactNode
  /** A button beside the row. */
  actionOf?: (row: Row) => ReactNode
  mayCall: boolean
  mayExcuse: boolean
}

interface DayFieldProps<Day extends PhoneRollDay> {
  days: readonly Day[]
  /** Undefined until a day is chosen. */
  day: Day | undefined
  nameOf: (day: Day) => string
  onDay: (id: string) => void
}

/** The day whose roll is called. */
export function DayField<Day extends PhoneRollDay>({ days, day, nameOf, onDay }: DayFieldProps<Day>) {
  return (
    <SelectField
      name="day"
      label="Day"
      isLabelHidden
      {...(!day && { placeholder: 'Choose a day' })}
      options={days.map((one) => ({ value: one.id, label: nameOf(one) }))}
      value={day?.id ?? ''}
      onChange={({ target }) => onDay(target.value)}
    />
  )
}

/** The roll of one day on a phone. */
export function PhoneRoll<Day extends PhoneRollDay, Row extends PhoneRollRow>({
  queue,
  day,
  rows: students,
  calls,
  isOn,
  textOf,
  badgeOf,
  actionOf,
  mayCall,
  mayExcuse,
}: PhoneRollProps<Day, Row>) {
  const today = useToday()
  const [excused, setExcused] = useState<readonly NewCall[] | null>(null)
  const callOf = shownCalls(queue, calls)
  const rows = students.flatMap((row) => {
    const call = callOf(day.id, row.student.id)
    return isOn(day, row) || call.state !== null ? [{ row, call }] : []
  })
  const empty = rows.filter(({ call }) => call.state === null)
  // Who excuses nobody has no day to come. The clock of a phone may be wrong by days.
  const isToCome = mayExcuse && day.heldOn > today
  if (rows.length === 0) return <EmptyState title="No students on this roll." />

  function tap(call: NewCall) {
    const state = stateAfter(call.state, isToCome)
    if (state === 'excused' && mayExcuse) setExcused([call])
    else if (state === 'excused') queue.add([{ ...call, ...emptyCall, state: 'present' }])
    else queue.add([{ ...call, ...emptyCall, state }])
  }

  return (
    <div className="grid gap-3">
      <div className="sticky bottom-2 z-10 order-last flex flex-wrap items-center gap-x-3 gap-y-2 rounded-box border border-edge bg-card p-3 shadow-card">
        {mayCall && !isToCome && (
          <Button
            size="sm"
            aria-disabled={empty.length === 0}
            onClick={() =>
              empty.length > 0 &&
              queue.add(empty.map(({ call }) => ({ ...call, state: 'present' as const, onlyEmpty: true })))
            }
          >
            All present
          </Button>
        )}
        {mayCall && !isToCome && (
          <Headcount
            key={day.id}
            called={rows.filter(({ call }) => call.state === 'present' || call.state === 'late').length}
          />
        )}
        <p role="status" className="text-sm tabular-nums">
          {attendanceStates
            .map((state) => `${figureText(rows.filter(({ call }) => call.state === state).length)} ${state}`)
            .join(' · ')}
          {empty.length > 0 && ` · ${figureText(empty.length)} open`}
        </p>
      </div>
      <ul className="grid gap-1.5">
        {rows.map(({ row, call }) => (
          <li key={row.student.id} className="flex items-stretch gap-1.5">
            <button
              type="button"
              disabled={!mayCall || (call.state === 'excused' && !mayExcuse)}
              onClick={() => tap(call)}
              className="flex min-h-14 min-w-0 flex-1 items-center gap-3 rounded-box border bg-card px-3 text-left"
            >
              <span className="min-w-0 flex-1 wrap-anywhere">
                {studentName(row.student)} {badgeOf?.(row)}
                <span className="block text-sm text-muted">{textOf(row)}</span>
              </span>
              <span
                className={clsx(
                  'min-w-20 rounded-box px-2 py-1.5 text-center text-sm font-semibold',
                  call.state ? tones[call.state] : 'border border-dashed border-edge text-muted',
                  call.state === 'present' && 'bg-success-soft',
                )}
              >
                {call.state ?? 'open'}
              </span>
            </button>
            {actionOf?.(row)}
          </li>
        ))}
      </ul>
      <ExcuseModal queue={queue} calls={excused} hasPresent={!isToCome} onClose={() => setExcused(null)} />
    </div>
  )
}

/** Compares the people in front of the caller with who is called here. It is stored nowhere. */
function Headcount({ called }: { called: number }) {
  const [typed, setTyped] = useState('')
  return (
    <label className="flex flex-wrap items-center gap-x-2 text-sm">
      How many are here?
      <input
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value.replaceAll(/\D/g, '').slice(0, 4))}
        className={clsx('control w-14', controlSize('compact'))}
      />
      <span role="status" className="font-semibold">
        {typed !== '' && headcountText(Number(typed) - called)}
      </span>
    </label>
  )
}

function headcountText(more: number): string {
  if (more === 0) return 'As many as are called present or late.'
  return `${figureText(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than are called present or late.`
}
