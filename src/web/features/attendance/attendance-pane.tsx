import { useQuery } from '@tanstack/react-query'
import { CalendarCheck, Gauge, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router'
import type {
  AttendanceGrid as AttendanceGridData,
  TrainingDayList,
} from '#shared/attendance/attendance-response.ts'
import { takesCallsOf } from '#shared/attendance/training-days.ts'
import { studentName } from '#shared/students/student-name.ts'
import { sectionLabel } from '#shared/terms/terms.ts'
import type { Section } from '#shared/terms/terms-response.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { SelectField } from '#web/components/field.tsx'
import { Modal } from '#web/components/modal.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { UnsavedGuard } from '#web/components/unsaved-prompt.tsx'
import { tabOf } from '#web/lib/admin-tab.ts'
import { callApi, slowApi } from '#web/lib/api.ts'
import { useToday } from '#web/lib/date-texts.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { useNarrowScreen } from '#web/lib/media-query.ts'
import { adminPath } from '#web/lib/next-path.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { sectionsQuery } from '#web/lib/terms.ts'
import {
  type AttendanceAddress,
  type AttendancePaneProps,
  attendanceAddress,
  dayName,
  daysQuery,
  gridQuery,
  levelTextOf,
  noSection,
} from './attendance-data.ts'
import { AttendanceGrid, StandingBadge } from './attendance-grid.tsx'
import { type CallQueue, QueueBanner, useCallQueue } from './call-queue.tsx'
import { DayField, PhoneRoll } from './phone-roll.tsx'
import { RuleForm } from './rule-form.tsx'
import { AddDaysForm } from './training-day-forms.tsx'
import { TrainingDays } from './training-days.tsx'

/** Training days of a component and level: who was there, and who was absent too often. */
export function AttendancePane({ term, cell }: AttendancePaneProps) {
  const days = useQuery(daysQuery(term, cell.component))
  const sections = useQuery(sectionsQuery(term))
  const ofCell = (sections.data ?? []).filter(
    ({ component, level }) => component === cell.component && level === cell.level,
  )
  return (
    <LoadedPart query={sections} what="the sections" lines={4} className="h-11">
      {() => (
        <LoadedPart query={days} what="the training days" lines={6} className="h-11">
          {(list) => <Attendance term={term} cell={cell} list={list} sections={ofCell} />}
        </LoadedPart>
      )}
    </LoadedPart>
  )
}

interface AttendanceProps extends AttendancePaneProps {
  list: TrainingDayList
  /** The sections of the component and level. */
  sections: readonly Section[]
}

const leftText = ({ length }: readonly string[]) =>
  `${countOf(length, 'student')} had been called by somebody else meanwhile and ${length === 1 ? 'was' : 'were'} left so.`

function Attendance({ term, cell, list, sections }: AttendanceProps) {
  const navigate = useNavigate()
  const address = attendanceAddress.read(useLocation().search)
  const [opened, setOpened] = useState<'days' | 'rule' | null>(null)
  // Another section, view or width of the screen keeps the calls that are on their way.
  const queue = useCallQueue((calls) =>
    callApi(slowApi.terms[':id'].attendance.$post({ param: { id: term.id }, json: { calls: [...calls] } })),
  )
  const close = () => setOpened(null)
  const { component } = cell
  const here = { term: term.id, component, level: levelTextOf(cell.level) } as const
  const isHere = ({ pathname, search }: Location) => {
    const next = attendanceAddress.read(search)
    return (
      pathname === adminPath &&
      tabOf(search) === 'terms' &&
      new URLSearchParams(search).get('pane') === 'attendance' &&
      next.term === here.term &&
      next.component === here.component &&
      next.level === here.level
    )
  }
  const isOpen = term.state !== 'closed'
  const items = list.items.filter(({ level }) => level === null || level === cell.level)
  const go = (change: Partial<AttendanceAddress>) =>
    void navigate(attendanceAddress.to({ ...address, ...here, ...change }), { preventScrollReset: true })
  const add = (
    <Button size="sm" icon={Plus} onClick={() => setOpened('days')}>
      Add training days
    </Button>
  )
  const tools = (
    <>
      <ChoiceButtons
        legend="View"
        isLegendHidden
        choices={[
          { value: 'roll', label: 'Roll' },
          { value: 'days', label: 'Days' },
        ]}
        selected={address.view}
        onSelect={(view) => go({ view })}
      />
      {isOpen && (
        <SmallButton icon={Gauge} onClick={() => setOpened('rule')}>
          Limits
        </SmallButton>
      )}
    </>
  )
  return (
    <>
      <QueueBanner queue={queue} leftText={leftText} />
      <UnsavedGuard isUnsaved={queue.waiting.size > 0} staysOpen={isHere} />
      {items.length === 0 ? (
        <EmptyState
          icon={CalendarCheck}
          title={`${component} has no training days yet.`}
          action={isOpen ? add : undefined}
        >
          Choose the weekdays: the days of the term follow, and holidays can be left out.
        </EmptyState>
      ) : address.view === 'days' ? (
        <>
          <div className="flex flex-wrap items-center gap-2">
            {tools}
            {isOpen && add}
          </div>
          <TrainingDays term={term} days={items} sections={sections} />
        </>
      ) : (
        <RollView
          queue={queue}
          term={term}
          cell={cell}
          sections={sections}
          address={address}
          tools={tools}
          go={go}
        />
      )}
      <Modal open={opened === 'days'} onClose={close} size="side" title={`Training days of ${component}`}>
        <AddDaysForm term={term} cell={cell} days={items} sections={sections} onClose={close} />
      </Modal>
      <Modal open={opened === 'rule'} onClose={close} size="side" title={`Limits of ${component}`}>
        <RuleForm term={term} rule={list.rule} onClose={close} />
      </Modal>
    </>
  )
}

interface RollViewProps extends Omit<AttendanceProps, 'list'> {
  queue: CallQueue
  address: AttendanceAddress
  /** Buttons beside the choice of the section. */
  tools: ReactNode
  go: (change: Partial<AttendanceAddress>) => void
}

function RollView({ queue, term, cell, sections, address, tools, go }: RollViewProps) {
  const isPhone = useNarrowScreen()
  const options = sections
    .filter(({ id, students }) => students > 0 || id === address.rollOf)
    .map((section) => ({ value: section.id, label: sectionLabel(section) }))
  if (cell.withoutSection > 0) options.push({ value: noSection, label: 'Without a section' })
  const chosen = options.find(({ value }) => value === address.rollOf) ?? options[0]
  const isAll = address.standing !== 'all'
  const choice = { section: isAll ? 'all' : (chosen?.value ?? noSection), standing: address.standing }
  const query = useQuery(gridQuery(term, cell, choice))
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {tools}
        {!isAll && (
          <SelectField
            name="roll"
            label="Section"
            isLabelHidden
            density="compact"
            className="w-fit max-w-full"
            options={options}
            value={chosen?.value ?? ''}
            onChange={({ target }) => go({ rollOf: target.value })}
          />
        )}
        <ChoiceButtons
          legend="Standing"
          isLegendHidden
          choices={[
            { value: 'all', label: 'Everybody' },
            { value: 'near', label: 'Near' },
            { value: 'over', label: 'Over' },
          ]}
          selected={address.standing}
          onSelect={(standing) => go({ standing })}
        />
      </div>
      {isAll && (
        <p className="text-sm text-muted">
          {address.standing === 'near' ? 'One more absence is too many for them. ' : ''}
          These are of all sections. Nothing follows without the office: it decides about DRP or FA.
        </p>
      )}
      <LoadedPart query={query} what="the attendance" lines={8} className="h-11">
        {(grid) =>
          isAll && grid.students.length === 0 ? (
            <EmptyState title={`Nobody is ${address.standing} the limit.`} />
          ) : isPhone && isAll ? (
            <StandingList grid={grid} />
          ) : isPhone ? (
            <OfficeRoll
              queue={queue}
              grid={grid}
              mayCall={term.state !== 'closed'}
              chosen={address.day}
              onDay={(day) => go({ day })}
            />
          ) : (
            <AttendanceGrid
              key={`${choice.section} ${choice.standing}`}
              term={term}
              queue={queue}
              grid={grid}
              hasSections={isAll}
            />
          )
        }
      </LoadedPart>
    </>
  )
}

interface OfficeRollProps {
  queue: CallQueue
  grid: AttendanceGridData
  mayCall: boolean
  /** The id of a day. */
  chosen: string | null
  onDay: (id: string) => void
}

/** The roll on a phone. It begins at the last day until today. */
function OfficeRoll({ queue, grid, mayCall, chosen, onDay }: OfficeRollProps) {
  const today = useToday()
  const days = grid.days.filter(({ state }) => state !== 'cancelled')
  const day =
    days.find(({ id }) => id === chosen) ?? days.filter(({ heldOn }) => heldOn <= today).at(-1) ?? days[0]
  if (!day) return <EmptyState title="This section has no training days yet." />
  return (
    <div className="grid gap-3">
      <DayField days={days} day={day} nameOf={dayName} onDay={onDay} />
      <PhoneRoll
        queue={queue}
        day={day}
        rows={grid.students}
        calls={grid.calls}
        isOn={(one, { sectionId }) => takesCallsOf(one, sectionId)}
        textOf={({ student }) => student.studentId}
        badgeOf={({ standing }) => <StandingBadge level={standing.level} />}
        mayCall={mayCall}
        mayExcuse
      />
    </div>
  )
}

/** Lists the students who are near or over on a phone, where the days of all sections don't fit beside each other. */
function StandingList({ grid: { students } }: { grid: AttendanceGridData }) {
  return (
    <ul className="grid gap-1.5">
      {students.map(({ student, section, standing }) => (
        <li key={student.id} className="rounded-box border bg-card px-3 py-2">
          <p className="font-semibold wrap-anywhere">
            {studentName(student)} <StandingBadge level={standing.level} />
          </p>
          <p className="text-sm text-muted tabular-nums">
            {factsText(
              section || 'Without a section',
              `${countOf(standing.absent, 'absence')} of ${countOf(standing.days, 'day')}`,
              standing.late > 0 && `${figureText(standing.late)} late`,
              standing.inRow > 1 && `${figureText(standing.inRow)} in a row`,
            )}
          </p>
        </li>
      ))}
    </ul>
  )
}
