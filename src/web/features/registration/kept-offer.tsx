import { type FormEvent, useContext, useId, useRef, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { FieldErrorText, SelectField, TextField } from '#web/components/field.tsx'
import { composeBirthDate, monthOptions } from '#web/lib/birth-date.ts'
import { useTranslation, WordsContext } from '#web/lib/translation.tsx'
import { textOf } from './form-values.ts'
import type { DraftOffer } from './use-draft.ts'
import type { Outcome } from './use-waiting.ts'

interface KeptOfferProps {
  offer: DraftOffer
  /** What became of the waiting enlistment: code and reason are its student's alone. */
  outcome: Outcome | undefined
  /** @returns false for the birth date of somebody else */
  open: (birthDate: string) => Promise<boolean>
  onStartAnew: () => void
}

/** Asks for a student's birth date before it shows the answers on the device: the phone may be another student's by now. */
export function KeptOffer({ offer: { waiting, keptAt }, outcome, open, onStartAnew }: KeptOfferProps) {
  const t = useTranslation()
  const timeOf = useTimeOfDay()
  const [isAsked, setAsked] = useState(false)
  const [isOpening, setOpening] = useState(false)
  const [isWrong, setWrong] = useState(false)
  const id = useId()
  const errorId = `${id}-error`
  const month = useRef<HTMLSelectElement>(null)
  // The one sentence below is that of all three.
  const judged = { 'aria-invalid': isWrong, 'aria-describedby': isWrong ? errorId : undefined }

  async function goOn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isOpening) return
    const data = new FormData(event.currentTarget)
    const [birthMonth, birthDay, birthYear] = [
      textOf(data, 'keptMonth'),
      textOf(data, 'keptDay'),
      textOf(data, 'keptYear'),
    ]
    setOpening(true)
    const isOpen = await open(composeBirthDate({ birthMonth, birthDay, birthYear }))
    setWrong(!isOpen)
    // Another student's enlistment may stay on offer.
    setAsked(!isOpen)
    setOpening(false)
    if (!isOpen) month.current?.focus()
  }

  return (
    <section
      data-steps="name"
      aria-label={t('Answers on this device')}
      className="mt-4 flex max-w-3xl flex-col gap-2 rounded-box border bg-soft px-4 py-2 stepped:my-2"
    >
      {waiting && (
        <p role="status">{t(waitingSentence(waiting.asksNumber, outcome, timeOf(waiting.startedAt)))}</p>
      )}
      {!isAsked && (
        <div className="flex flex-wrap gap-x-5">
          <button type="button" className={linkClass} onClick={() => setAsked(true)}>
            {t(
              keptAt === undefined
                ? waitingLabel(outcome)
                : `Go on with answers typed here at ${timeOf(keptAt)}`,
            )}
          </button>
          {keptAt !== undefined && (
            <button type="button" className={linkClass} onClick={onStartAnew}>
              {t('Start anew')}
            </button>
          )}
        </div>
      )}
      {isAsked && (
        <form
          aria-labelledby={id}
          noValidate
          onSubmit={(event) => void goOn(event)}
          className="flex flex-col gap-2"
        >
          <p id={id} className="text-sm font-semibold">
            {t('Birth date of the student whose answers these are')}
          </p>
          <div className="grid max-w-md grid-cols-[minmax(0,1fr)_3.5rem_5rem] gap-2">
            <SelectField
              // The press that opened these fields asked for the first one.
              autoFocus
              ref={month}
              {...judged}
              name="keptMonth"
              label="Month"
              options={monthOptions}
              placeholder="Choose…"
              autoComplete="off"
            />
            <TextField {...judged} name="keptDay" label="Day" inputMode="numeric" autoComplete="off" />
            <TextField {...judged} name="keptYear" label="Year" inputMode="numeric" autoComplete="off" />
          </div>
          <div role="alert">
            {isWrong && (
              <FieldErrorText id={errorId}>
                No answers on this device are of a student with this birth date.
              </FieldErrorText>
            )}
          </div>
          <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
            <Button type="submit" aria-disabled={isOpening}>
              Show the answers
            </Button>
            {keptAt !== undefined && (
              <button type="button" className={linkClass} onClick={onStartAnew}>
                {t('Start anew')}
              </button>
            )}
          </div>
        </form>
      )}
    </section>
  )
}

const linkClass =
  'inline-flex min-h-11 items-center font-semibold text-primary text-start underline underline-offset-4'

const waitingLabel = (outcome: Outcome | undefined) =>
  typeof outcome === 'object' ? 'Show its reference code' : 'Show the enlistment that waits'

function waitingSentence(asksNumber: boolean, outcome: Outcome | undefined, time: string): string {
  if (outcome === 'refused') {
    return `An enlistment submitted here at ${time} was not accepted. Its student must open it.`
  }
  if (outcome) {
    return `An enlistment submitted here at ${time} was sent. Its reference code is shown after the birth date.`
  }
  return asksNumber
    ? `An enlistment submitted here at ${time} is not sent yet. Its student must type the social security number again, which is never saved.`
    : `An enlistment submitted here at ${time} is not sent yet. This page sends it when there is a connection.`
}

/** Formats a moment as the time of day that the device's clock shows. */
function useTimeOfDay() {
  const locale = useContext(WordsContext) ? 'fil-PH' : 'en-PH'
  const format = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
  return (at: number) => format.format(at)
}
