import { useInstantTexts } from './date-texts.ts'
import { factsText } from './facts-text.ts'

interface ShownDay {
  heldOn: string
  startsAt: string
  title: string
}

/** 'Saturday, Sep 12, 2026 · 7:30 AM · Drill', in the language of the page. */
export function useTrainingDayText() {
  const { weekdayOf, clockOf } = useInstantTexts()
  return ({ heldOn, startsAt, title }: ShownDay) =>
    factsText(weekdayOf(heldOn), startsAt && clockOf(startsAt), title)
}
