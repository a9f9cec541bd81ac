import { Link } from 'react-router'
import type { AttendanceState } from '#shared/attendance/calls.ts'
import { requestPath } from '#shared/my/my-path.ts'
import type { OwnAttendance as Attendance } from '#shared/my/own-page-response.ts'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { TrainingDay } from '#web/components/training-day.tsx'
import { factsText } from '#web/lib/facts-text.ts'
import { useTrainingDayText } from '#web/lib/training-day-text.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { Fold, linkClass, Part } from './my-frame.tsx'

const states = ['present', 'late', 'absent', 'excused'] as const
const stateLooks: Readonly<Record<AttendanceState, { label: string; tone: BadgeTone }>> = {
  present: { label: 'Present', tone: 'success' },
  late: { label: 'Late', tone: 'warning' },
  absent: { label: 'Absent', tone: 'danger' },
  excused: { label: 'Excused', tone: 'info' },
}

/** The next training day, the days that count, and what is left before the limit. */
export function OwnAttendance({ attendance, mayAsk }: { attendance: Attendance; mayAsk: boolean }) {
  const t = useTranslation()
  const dayText = useTrainingDayText()
  const { coming, standing, lates, days } = attendance
  const left = leftSentence(standing)
  return (
    <Part id="attendance" title="Attendance">
      <div>
        <p className="text-sm text-muted">{t('Next training day')}</p>
        {coming.length > 0 && (
          <ul className="flex flex-col gap-1">
            {coming.map((day) => (
              <li key={day.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
                <TrainingDay day={day} />
                {day.isMakeUp && <Badge tone="info">Make-up day</Badge>}
              </li>
            ))}
          </ul>
        )}
        {coming.every((day) => day.isCancelled) && <p>{t('No further day is planned.')}</p>}
      </div>
      {days.length > 0 && (
        <>
          <p>{factsText(...states.map((state) => `${t(stateLooks[state].label)}: ${standing[state]}`))}</p>
          <Fold title="My training days so far">
            <ul className="flex flex-col gap-2">
              {days.map((day) => (
                <li key={day.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  {dayText(day)}
                  <Badge tone={stateLooks[day.state].tone}>{stateLooks[day.state].label}</Badge>
                </li>
              ))}
            </ul>
          </Fold>
        </>
      )}
      {left !== '' && <p className="font-semibold">{t(left)}</p>}
      {lates !== null && (
        <p>
          {t(
            lates === 1
              ? 'Being late counts as an absence.'
              : `An absence is counted for every ${lates} times late.`,
          )}
        </p>
      )}
      {mayAsk && (
        <Link to={`${requestPath}#absence`} className={`self-start ${linkClass}`}>
          {t('Ask to be excused')}
        </Link>
      )}
    </Part>
  )
}

function leftSentence({ level, left }: Attendance['standing']): string {
  if (level === 'over') return 'You are over the limit of absences. Talk to your NSTP office.'
  if (left === null) return ''
  if (left === 0) return 'You may miss no more days.'
  return left === 1 ? 'You may miss 1 more day.' : `You may miss ${left} more days.`
}
