import type { TrainingDay } from '#shared/attendance/attendance-response.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { type StartedText, useMailStudents } from '#web/components/mail-students.ts'
import { useAccount } from '#web/lib/account.ts'
import { api, callApi } from '#web/lib/api.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { useTrainingDayText } from '#web/lib/training-day-text.ts'

type DayTime = Pick<TrainingDay, 'heldOn' | 'startsAt' | 'title'>

/**
 * Opens a bulk e-mail to who trains on a day, with a text to begin from; null for who sends no mail. It takes what was
 * there before a move.
 */
export function useMailOfDay(): ((day: TrainingDay, before?: DayTime) => void) | null {
  const mayMail = useAccount().can('mail')
  const mail = useMailStudents()
  const dayText = useTrainingDayText()
  const { weekdayOf } = useInstantTexts()
  const reading = useActionWithToast({
    topics: ['attendance'],
    mutationFn: ({ day: { id } }: { day: TrainingDay; text: StartedText }) =>
      callApi(api['training-days'][':id'].students.$get({ param: { id } })),
    whatFailed: 'Failed to find the students',
    onDone: ({ ids }, { text }) => mail(ids, text),
  })
  if (!mayMail) return null

  function textOf(day: TrainingDay, before: DayTime | undefined): StartedText {
    const on = weekdayOf(day.heldOn)
    if (day.state === 'cancelled')
      return textFor(`No training on ${on}`, `This training day is cancelled: ${dayText(day)}.`)
    if (before)
      return textFor(
        `Training moved to ${on}`,
        `This training day is moved: ${dayText(before)}.\n\nIt is now on ${dayText(day)}.`,
      )
    return textFor(`Training on ${on}`, `This is about the training day ${dayText(day)}.`)
  }

  return (day, before) => reading.run({ day, text: textOf(day, before) })
}

const textFor = (subject: string, sentences: string): StartedText => ({
  subject,
  body: `Dear {firstName},\n\n${sentences}\n`,
})
