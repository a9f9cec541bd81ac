import { useTrainingDayText } from '#web/lib/training-day-text.ts'
import { Badge } from './badge.tsx'

type ShownDay = Parameters<ReturnType<typeof useTrainingDayText>>[0] & { isCancelled: boolean }

/** A training day by its date; struck out where it is cancelled. */
export function TrainingDay({ day }: { day: ShownDay }) {
  const dayText = useTrainingDayText()
  if (!day.isCancelled) return dayText(day)
  return (
    <>
      <del>{dayText(day)}</del> <Badge tone="warning">Cancelled</Badge>
    </>
  )
}
