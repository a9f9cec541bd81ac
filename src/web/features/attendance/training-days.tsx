import { Ban, CalendarPlus, LockKeyhole, LockKeyholeOpen, Mail, Pencil, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { CalledDay, TrainingDay } from '#shared/attendance/attendance-response.ts'
import { attendanceStates } from '#shared/attendance/calls.ts'
import { trainingDayLimits, trainingDayMessages } from '#shared/attendance/training-days.ts'
import { sectionLabel } from '#shared/terms/terms.ts'
import type { Section, Term } from '#shared/terms/terms-response.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { Badge } from '#web/components/badge.tsx'
import { type Column, ListTable } from '#web/components/data-table.tsx'
import { type MenuAction, RowMenu } from '#web/components/menu.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { ReasonForm } from '#web/components/reason-form.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi, slowApi } from '#web/lib/api.ts'
import { useToday } from '#web/lib/date-texts.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { clockTimeOf, dayName } from './attendance-data.ts'
import { Closing } from './closing-form.tsx'
import { useMailOfDay } from './mail-of-day.ts'
import { type ChangedDay, DayForm, sendEdit } from './training-day-forms.tsx'

interface TrainingDaysProps {
  term: Term
  days: readonly CalledDay[]
  sections: readonly Section[]
}

type Asked = 'close' | 'reopen' | 'cancel' | 'delete'

const headers = ({ version }: TrainingDay) => ({ 'if-match': `"${version}"` })

export function TrainingDays({ term, days, sections }: TrainingDaysProps) {
  const [changed, setChanged] = useState<ChangedDay | null>(null)
  const [asked, setAsked] = useState<{ what: Asked; day: CalledDay } | null>(null)
  const askedOf = (what: Asked) => (asked?.what === what ? asked.day : null)
  const close = () => setAsked(null)
  const onDone = (message: string) => () => {
    close()
    showToast('success', message)
  }
  const mailOfDay = useMailOfDay()
  const offerMail = (message: string, day: TrainingDay, before?: TrainingDay) =>
    showToast('success', message, {
      action: mailOfDay
        ? { label: 'E-mail the students', onSelect: () => mailOfDay(day, before) }
        : undefined,
    })
  const setCancelled = (day: CalledDay, isCancelled: boolean) => {
    const { heldOn, title, startsAt, hours } = day
    return sendEdit(day, { heldOn, title, startsAt, hours, isCancelled })
  }
  const cancellation = useAction({
    topics: ['attendance'],
    mutationFn: (day: CalledDay) => setCancelled(day, true),
    onSuccess(day) {
      close()
      offerMail('Training day cancelled', day)
    },
  })
  const restoration = useActionWithToast({
    topics: ['attendance'],
    mutationFn: (day: CalledDay) => setCancelled(day, false),
    whatFailed: 'The day was not restored',
  })
  const deletion = useAction({
    topics: ['attendance'],
    mutationFn: (day: CalledDay) =>
      callApi(api['training-days'][':id'].$delete({ param: { id: day.id }, header: headers(day) })),
    onSuccess: onDone('Training day deleted'),
  })
  const today = useToday()
  const entriesOf = (day: CalledDay): MenuAction[] => {
    const isCalled = countOfCalls(day) > 0
    const ask = (what: Asked) => () => setAsked({ what, day })
    const makeUp = {
      label: 'Add a make-up day',
      icon: CalendarPlus,
      onSelect: () => setChanged({ day, isMakeUp: true }),
    }
    const restore = () => restoration.run(day)
    const mail = mailOfDay && {
      label: 'E-mail the students',
      icon: Mail,
      onSelect: () => mailOfDay(day),
    }
    if (day.state === 'cancelled') {
      const back = { label: 'Restore the day', icon: Undo2, onSelect: restore }
      return mail ? [back, makeUp, mail] : [back, makeUp]
    }
    const entries: (MenuAction | false | null)[] = [
      day.state === 'planned' &&
        day.heldOn <= today && { label: 'Close…', icon: LockKeyhole, onSelect: ask('close') },
      day.closedAt !== null && { label: 'Reopen…', icon: LockKeyholeOpen, onSelect: ask('reopen') },
      { label: 'Edit', icon: Pencil, onSelect: () => setChanged({ day, isMakeUp: false }) },
      makeUp,
      day.heldOn >= today && mail,
      day.state === 'planned' && { label: 'Cancel the day…', icon: Ban, onSelect: ask('cancel') },
      { label: 'Delete', icon: Trash2, danger: true, disabled: isCalled, onSelect: ask('delete') },
    ]
    return entries.filter((entry) => entry !== false && entry !== null)
  }
  return (
    <>
      <ListTable
        caption="Training days"
        items={days}
        columns={columnsOf(sections, days)}
        menu={
          term.state === 'closed' ? null : (day) => <RowMenu of={dayName(day)} entries={entriesOf(day)} />
        }
      />
      <ModalOf
        thing={changed}
        onClose={() => setChanged(null)}
        size="sm"
        title={({ day, isMakeUp }) => (isMakeUp ? `Make-up day for ${dayName(day)}` : dayName(day))}
      >
        {(thing) => (
          <DayForm
            {...thing}
            term={term}
            onMoved={(day, before) => offerMail('Training day moved', day, before)}
            onClose={() => setChanged(null)}
          />
        )}
      </ModalOf>
      <ModalOf thing={askedOf('close')} onClose={close} size="md" title={(day) => `Close ${dayName(day)}`}>
        {(day) => <Closing day={day} onClose={close} />}
      </ModalOf>
      <ModalOf thing={askedOf('reopen')} onClose={close} size="sm" title="Reopen this training day?">
        {(day) => <ReopenForm day={day} onDone={onDone('Training day reopened')} onClose={close} />}
      </ModalOf>
      <QuestionModal
        title="Cancel this training day?"
        thing={askedOf('cancel')}
        action={cancellation}
        words={() => ({ confirm: 'Cancel the day', dismiss: 'Keep it' })}
        onConfirm={cancellation.run}
        onClose={close}
      >
        {(day) => (
          <p>
            {dayName(day)} then counts for nobody. Recorded attendance stays, in case the day is restored.
          </p>
        )}
      </QuestionModal>
      <QuestionModal
        title="Delete this training day?"
        thing={askedOf('delete')}
        action={deletion}
        onConfirm={deletion.run}
        onClose={close}
      >
        {(day) => <p>Nobody was called on {dayName(day)}.</p>}
      </QuestionModal>
    </>
  )
}

const countOfCalls = (day: CalledDay) => attendanceStates.reduce((sum, state) => sum + day[state], 0)

const className = 'wrap-anywhere tabular-nums'

function columnsOf(sections: readonly Section[], days: readonly CalledDay[]): readonly Column<CalledDay>[] {
  return [
    { head: 'Day', isRowHead: true, className: 'font-semibold wrap-anywhere max-md:pr-14', cell: dayName },
    { head: 'Time', className, value: ({ startsAt }) => clockTimeOf(startsAt) },
    { head: 'Hours', className, value: ({ hours }) => String(hours) },
    { head: 'Sections', className, value: (day) => sectionsOf(day, sections) },
    { head: 'Called', className, value: (day) => callsOf(day) || 'Nobody' },
    { head: 'State', className, value: (day) => <State day={day} days={days} /> },
  ]
}

function sectionsOf({ sectionIds, level }: CalledDay, sections: readonly Section[]): string {
  const chosen = sections.filter(({ id }) => sectionIds.includes(id)).map(sectionLabel)
  return `${chosen.join(', ') || 'All'}${level === null ? ', both levels' : ''}`
}

function callsOf(day: CalledDay): string {
  const called = attendanceStates.filter((one) => day[one] > 0)
  return called.map((one) => `${figureText(day[one])} ${one}`).join(', ')
}

const stateBadges = {
  planned: { tone: 'info', children: 'Planned' },
  partly: { tone: 'warning', children: 'Partly closed' },
  closed: { tone: 'success', children: 'Closed' },
  cancelled: { tone: 'neutral', children: 'Cancelled' },
} as const

function State({ day, days }: { day: CalledDay; days: readonly CalledDay[] }) {
  const { state, closedAt, reopenReason, replacesId } = day
  const replaced = days.find(({ id }) => id === replacesId)
  const isPartly = state === 'planned' && closedAt !== null
  return (
    <>
      <Badge {...stateBadges[isPartly ? 'partly' : state]} />
      {reopenReason && closedAt === null && <span className="block">Reopened: {reopenReason}</span>}
      {replaced && <span className="block">Make-up for {dateOf(replaced.heldOn)}</span>}
    </>
  )
}

interface ReopenProps {
  day: TrainingDay
  onDone: () => void
  onClose: () => void
}

function ReopenForm({ day, onDone, onClose }: ReopenProps) {
  const action = useAction({
    topics: ['attendance'],
    mutationFn: (reason: string) =>
      callApi(
        slowApi['training-days'][':id'].reopening.$post({
          param: { id: day.id },
          header: headers(day),
          json: { reason },
        }),
      ),
    onSuccess: onDone,
  })
  return (
    <ReasonForm
      action={action}
      problemOf={(reason) => (reason.trim() === '' ? trainingDayMessages.reason : undefined)}
      maxLength={trainingDayLimits.reason}
      label="Reopen"
      onCancel={onClose}
    >
      {`The absences that closing wrote on ${dayName(day)} are taken back. Recorded attendance stays.`}
    </ReasonForm>
  )
}
